// An array that has not as many elements as qsort is to sort: a count that became huge is no lack of memory.
//@ verdict: unsafe(memory)
//@ rev huge: --check default
//@ clang[huge]: -DCOUNT=-1
//@ rev wraps: --check default
//@ clang[wraps]: -DCOUNT=(SIZE_MAX/4+2)
//@ rev one: --check default
//@ clang[one]: -DCOUNT=4
//@ rev right: --check default
//@ clang[right]: -DCOUNT=3
//@ verdict[right]: safe
#include <stdint.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int main(void)
{
    int a[3] = {3, 1, 2};
    qsort(a, COUNT, sizeof a[0], compare);
    return a[0] != 1;
}
