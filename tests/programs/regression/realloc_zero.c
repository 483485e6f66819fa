// realloc(p, 0) frees the block and gives a null pointer, as glibc does.
//@ verdict: unsafe(assert)
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    char *q = realloc(p, 0);
    if (!q)
        abort(); //~ BUG!
    free(q);
    return 0;
}
