// The void pointer is looked at first, and is the same as the other one.
//@ verdict: unsafe(assert)
//@ assumes: outside.overlap outside.sizes
#include <selvedge.h>

struct point { int x, y; };

int main(void)
{
    void *v;
    struct point *p;
    selvedge_outside(&v, sizeof v, "v");
    selvedge_outside(&p, sizeof p, "p");
    selvedge_assume(v && p);
    ((struct point *)v)->x = 1;
    p->x = 2;
    selvedge_assert(((struct point *)v)->x == 1); //~ BUG! assert
    return 0;
}
