// Numbers that depend on inputs can be printed; what is printed has no influence on the program.
//@ verdict: unsafe(assert)
//@ stdout: value 2.50
#include "../inputs.h"
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    double value = n / 2.0;
    printf("value %.2f\n", value);
    assert(value != 2.5);
    return 0;
}
