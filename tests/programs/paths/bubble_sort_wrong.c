// Bubble sort whose passes shrink by two: not sorted for some inputs.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

#define N 5

int main(void)
{
    int a[N];
    klee_make_symbolic(a, sizeof a, "a");
    for (int end = N - 1; end > 0; end -= 2) {
        for (int i = 0; i < end; i++) {
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
        }
    }
    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]); //~ BUG!
    return 0;
}
