// Insertion sort of six symbolic numbers.
// 6! = 720 paths: each comparison asks for the order of two elements, a path ends when all orders are known, and two
// inputs that need different permutations cannot share a path. Equal numbers add none: the comparison is strict, so they
// behave as if the later one were larger. The assertions follow from the path and do not fork.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=720 full=720
#include "../inputs.h"
#include <assert.h>

#define N 6

int main(void)
{
    int a[N];
    klee_make_symbolic(a, sizeof a, "a");
    for (int i = 1; i < N; i++) {
        int key = a[i], j = i;
        for (; j > 0 && a[j - 1] > key; j--)
            a[j] = a[j - 1];
        a[j] = key;
    }
    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
