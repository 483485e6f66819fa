// Bubble sort of six symbolic numbers that ends early when a pass swaps nothing.
// 6! = 720 paths: the answers of all comparisons determine how elements move, so inputs with different permutations
// differ in some answer, and inputs with the same permutation give the same answers. Equal numbers are never swapped:
// they behave as if the later one were larger.
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
    int swapped = 1;
    for (int end = N - 1; swapped && end > 0; end--) {
        swapped = 0;
        for (int i = 0; i < end; i++) {
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swapped = 1;
            }
        }
    }
    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
