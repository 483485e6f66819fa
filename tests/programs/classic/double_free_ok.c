// Each path through the clean-up frees each buffer once.
// Three paths: a wrong version; the right one with either size.
//@ verdict: safe
//@ flags: --check default,leak --reduce none
//@ executions: total=3 full=3
#include "../inputs.h"
#include <stdlib.h>

static int parse(unsigned version, unsigned size)
{
    int result = -1;
    char *header = malloc(8), *body = NULL;
    if (version != 2)
        goto out;
    body = malloc(16);
    if (size <= 16)
        result = 0;
out:
    free(body);
    free(header);
    return result;
}

int main(void)
{
    unsigned version, size;
    klee_make_symbolic(&version, sizeof version, "version");
    klee_make_symbolic(&size, sizeof size, "size");
    return parse(version, size);
}
