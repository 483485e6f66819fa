// Nothing says that two pointers from outside lead to different objects.
//@ verdict: unsafe(assert)
#include <selvedge.h>

static int store_both(int *p, int *q)
{
    *p = 1;
    *q = 2;
    return *p;
}

int main(void)
{
    int *p, *q;
    selvedge_outside(&p, sizeof p, "p");
    selvedge_outside(&q, sizeof q, "q");
    selvedge_assume(p && q);
    selvedge_assert(store_both(p, q) == 1); //~ BUG! assert
    return 0;
}
