// The remainder by zero of 64-bit unsigned numbers.
//@ verdict: unsafe(div)
//~ INPUT size=0
#include "../inputs.h"

int main(void)
{
    unsigned long long size;
    SYMBOLIC(size);
    return 4096 % size == 0; //~ BUG!
}
