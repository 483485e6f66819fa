// A type that says nothing does not tell two objects apart.
//@ verdict: unsafe(memory)
#include <stdlib.h>
#include <selvedge.h>

static void release_both(void *a, void *b)
{
    free(a);
    free(b); //~ BUG! memory
}

int main(void)
{
    void *p, *q;
    selvedge_outside(&p, sizeof p, "p");
    selvedge_outside(&q, sizeof q, "q");
    release_both(p, q);
    return 0;
}
