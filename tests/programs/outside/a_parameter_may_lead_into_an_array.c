// The second pointer leads to the third element behind the first.
//@ verdict: unsafe(assert)
#include <selvedge.h>

int main(void)
{
    int *p, *q;
    selvedge_outside(&p, sizeof p, "p");
    selvedge_outside(&q, sizeof q, "q");
    selvedge_assume(p && q);
    p[2] = 7;
    p[0] = 7;
    p[1] = 7;
    int old = *q;
    selvedge_assume(q != p && q != p + 1);
    *q = old + 1;
    selvedge_assert(p[2] == 7); //~ BUG! assert
    return 0;
}
