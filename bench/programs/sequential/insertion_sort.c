// Insertion sort of N unknown integers; the result is sorted and keeps the sum (modulo 2^32).
#include <assert.h>

#ifndef N
#define N 6
#endif

void klee_make_symbolic(void *address, unsigned long size, const char *name);

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int x = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

int main(void) {
    int a[N];
    unsigned before = 0, after = 0;
    klee_make_symbolic(a, sizeof a, "a");
    for (int i = 0; i < N; i++)
        before += (unsigned)a[i];
    sort(a, N);
    for (int i = 0; i < N; i++)
        after += (unsigned)a[i];
    for (int i = 0; i + 1 < N; i++)
        assert(a[i] <= a[i + 1]);
    assert(before == after);
    return 0;
}
