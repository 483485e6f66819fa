// The old pointer is used after realloc: the memory may have moved.
//@ verdict: unsafe(memory)
#include <stdlib.h>

int main(void)
{
    int *a = malloc(sizeof *a);
    a[0] = 1;
    int *b = realloc(a, 1000 * sizeof *a);
    b[1] = 2;
    int r = a[0]; //~ BUG!
    free(b);
    return r;
}
