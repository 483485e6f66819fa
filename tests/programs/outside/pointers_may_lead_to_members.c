// A pointer to int leads to a member of a structure that is looked at before it.
//@ verdict: unsafe(assert)
#include <selvedge.h>

struct point { char name; int x, y; };

int main(void)
{
    struct point *s;
    int *p;
    selvedge_outside(&s, sizeof s, "s");
    selvedge_outside(&p, sizeof p, "p");
    selvedge_assume(s && p);
    s->y = 2;
    *p = 1;
    selvedge_assert(s->y == 2); //~ BUG! assert
    return 0;
}
