// The pointer that is looked at first leads into what the other one begins.
//@ verdict: unsafe(assert)
#include <selvedge.h>

int main(void)
{
    int *p, *q;
    selvedge_outside(&p, sizeof p, "p");
    selvedge_outside(&q, sizeof q, "q");
    selvedge_assume(p && q);
    *p = 1;
    q[3] = 2;
    selvedge_assert(p == q || *p == 1); //~ BUG! assert
    return 0;
}
