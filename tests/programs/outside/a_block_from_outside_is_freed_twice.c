// Two names of one block.
//@ verdict: unsafe(memory)
//@ assumes: outside.freeable outside.overlap outside.sizes
#include <stdlib.h>
#include <selvedge.h>

int main(void)
{
    long *p, *q;
    selvedge_outside(&p, sizeof p, "p");
    selvedge_outside(&q, sizeof q, "q");
    selvedge_assume(!q || q == p);
    free(p);
    free(q); //~ BUG! memory
    return 0;
}
