// The address of a variable is used after its block has ended.
//@ verdict: unsafe(memory)
#include "../inputs.h"

int main(void)
{
    int *p = 0;
    {
        int inner = __VERIFIER_nondet_int();
        p = &inner;
    }
    return *p == 0; //~ BUG!
}
