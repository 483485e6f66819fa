// Pointers to different objects differ; null equals only null.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

static int global;

int main(void)
{
    int local = __VERIFIER_nondet_int();
    int *heap = malloc(sizeof *heap), *other = malloc(sizeof *other);
    *heap = 1;
    *other = 2;
    assert(heap != other && heap != &local && heap != &global && &local != &global);
    assert(heap && &local && &global);
    int *chosen = local > 0 ? heap : other;
    assert((chosen == heap) == (local > 0));
    assert(*chosen == (local > 0 ? 1 : 2));
    free(heap);
    free(other);
    return 0;
}
