// realloc, calloc and malloc keep and clear contents as they should.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *a = malloc(3 * sizeof *a);
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
    int first = a[0], last = a[2];
    a = realloc(a, 10 * sizeof *a);
    assert(a[0] == first && a[2] == last);
    a[9] = 1;
    a = realloc(a, sizeof *a);
    assert(a[0] == first);
    free(a);
    long *zeros = calloc(4, sizeof *zeros);
    for (int i = 0; i < 4; i++)
        assert(zeros[i] == 0);
    free(zeros);
    free(NULL);
    int *fresh = realloc(NULL, sizeof *fresh);
    *fresh = 7;
    assert(*fresh == 7);
    free(fresh);
    return 0;
}
