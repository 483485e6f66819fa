// The same memory is freed through two pointers.
//@ verdict: unsafe(memory)
#include <stdlib.h>

struct holder {
    int *data;
};

int main(void)
{
    struct holder a, b;
    a.data = malloc(sizeof *a.data);
    b = a;
    free(a.data);
    free(b.data); //~ BUG!
    return 0;
}
