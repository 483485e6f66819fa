// Writing through a number that is no address of any object.
//@ verdict: unsafe(memory)
#include "../inputs.h"

int main(void)
{
    int *p = (int *)(uintptr_t)0x12345678;
    *p = 1; //~ BUG!
    return 0;
}
