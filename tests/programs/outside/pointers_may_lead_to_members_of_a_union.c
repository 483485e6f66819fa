// A pointer to int leads to a member of a union.
//@ verdict: unsafe(assert)
#include <selvedge.h>

union number { int i; float f; };

int main(void)
{
    union number *u;
    int *p;
    selvedge_outside(&u, sizeof u, "u");
    selvedge_outside(&p, sizeof p, "p");
    selvedge_assume(u && p);
    u->i = 1;
    *p = 2;
    selvedge_assert(u->i == 1); //~ BUG! assert
    return 0;
}
