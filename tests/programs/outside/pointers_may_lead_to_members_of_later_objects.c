// A pointer to int leads to a member of a structure that is looked at later.
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
    *p = 1;
    s->y = 2;
    selvedge_assert(*p == 1); //~ BUG! assert
    return 0;
}
