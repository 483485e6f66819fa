// A symbolic choice among pointers to different objects: reads and writes go to the chosen one.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

static int global = 1;

int main(void)
{
    int local = 2, *heap = malloc(sizeof *heap);
    *heap = 3;
    int *table[3] = {&global, &local, heap};
    unsigned i;
    SYMBOLIC(i);
    klee_assume(i < 3);
    assert(*table[i] == (int)i + 1);
    *table[i] += 10;
    assert(global + local + *heap == 16);
    assert((global == 11) == (i == 0) && (*heap == 13) == (i == 2));
    free(heap);
    return 0;
}
