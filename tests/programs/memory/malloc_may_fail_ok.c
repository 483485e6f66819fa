// The result of malloc is checked: both outcomes are fine.
//@ verdict: safe
//@ flags: --malloc-may-fail --reduce none
//@ executions: total=2 full=2
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    return 0;
}
