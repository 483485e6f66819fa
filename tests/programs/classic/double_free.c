// The error path frees the buffer and then falls into the clean-up, which frees it again.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stdlib.h>

static int parse(unsigned version, unsigned size)
{
    int result = -1;
    char *header = malloc(8), *body = NULL;
    if (version != 2) {
        free(header);
        goto out;
    }
    body = malloc(16);
    if (size <= 16)
        result = 0;
out:
    free(body);
    free(header); //~ BUG!
    return result;
}

int main(void)
{
    unsigned version, size;
    klee_make_symbolic(&version, sizeof version, "version");
    klee_make_symbolic(&size, sizeof size, "size");
    return parse(version, size) != 0;
}
