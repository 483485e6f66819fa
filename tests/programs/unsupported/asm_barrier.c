// An empty assembly statement is a compiler barrier and has no effect.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __asm__ volatile("" ::: "memory");
    int y = x;
    __asm__ volatile("" : : "r"(y) : "memory");
    assert(x == y);
    return 0;
}
