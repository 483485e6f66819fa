// Bubble sort of N unknown integers: N! orders, each one path; the result is sorted.
#include <assert.h>

#ifndef N
#define N 6
#endif

void klee_make_symbolic(void *address, unsigned long size, const char *name);

static void sort(int *a, int n) {
    for (int end = n - 1; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
}

int main(void) {
    int a[N];
    klee_make_symbolic(a, sizeof a, "a");
    sort(a, N);
    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]);
    return 0;
}
