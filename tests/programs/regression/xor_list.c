// The exclusive or of two addresses and one of them is the other address, in the other block.
//@ verdict: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    uintptr_t link;
    int value;
};

int main(void)
{
    struct node *x = malloc(sizeof *x), *y = malloc(sizeof *y);
    x->value = 1;
    y->value = 2;
    uintptr_t both = (uintptr_t)x ^ (uintptr_t)y;
    struct node *p = (struct node *)((uintptr_t)x ^ both);
    assert(p->value == 2);
    free(x);
    free(y);
    return 0;
}
