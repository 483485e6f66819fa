// A pointer written to and read from a symbolic place still belongs to its block.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stdlib.h>

struct node {
    int a[4];
};
struct node *table[4];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    struct node *p = malloc(sizeof *p), *next = malloc(sizeof *next);
    table[i] = p;
    table[i]->a[12] = 1; //~ BUG!
    free(p);
    free(next);
    return 0;
}
