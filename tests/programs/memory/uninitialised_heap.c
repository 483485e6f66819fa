// Memory from malloc has any content, and keeps the one it has.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    int first = p[0];
    if (p[0] == first && p[1] == first)
        assert(first != 1234); //~ BUG!
    free(p);
    return 0;
}
