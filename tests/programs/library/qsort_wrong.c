// The comparison subtracts, which overflows for keys far apart, so the result is not sorted.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

static int by_difference(const void *a, const void *b)
{
    return (int)((unsigned)*(const int *)a - (unsigned)*(const int *)b);
}

int main(void)
{
    int keys[2];
    SYMBOLIC(keys);
    qsort(keys, 2, sizeof keys[0], by_difference);
    assert(keys[0] <= keys[1]); //~ BUG!
    return 0;
}
