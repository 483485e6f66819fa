// free of a pointer into the middle of an allocation.
//@ verdict: unsafe(memory)
#include <stdlib.h>

int main(void)
{
    char *start = malloc(10), *p = start;
    *p++ = 'a';
    *p++ = 'b';
    free(p); //~ BUG!
    return 0;
}
