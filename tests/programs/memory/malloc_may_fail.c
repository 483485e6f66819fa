// With the flag malloc may return null, and the program forgot to ask.
//@ verdict: unsafe(memory)
//@ flags: --malloc-may-fail
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1; //~ BUG!
    free(p);
    return 0;
}
