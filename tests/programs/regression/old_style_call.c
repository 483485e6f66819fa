// An old-style declaration lets a call pass an int for a long; the engine must not fall over.
//@ verdict: safe
//@ clang: -std=gnu99 -w
#include "../inputs.h"

int f();

int main(void)
{
    int x = __VERIFIER_nondet_int();
    return f(x) > 1;
}

int f(long y)
{
    return (int)y > 5;
}
