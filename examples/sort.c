// Insertion sort of four arbitrary numbers: nothing to find, and Selvedge says so.
//
//   selvedge check examples/sort.c
//
// Every order of the inputs is one path; when all are explored the verdict is `safe`: no input whatsoever
// breaks an assertion or leaves the array.

#include <assert.h>

#define N 4

extern int __VERIFIER_nondet_int(void);

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > key) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = key;
    }
}

int main(void)
{
    int a[N];
    unsigned before = 0, after = 0;

    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        before ^= (unsigned)a[i];
    }
    sort(a, N);
    for (int i = 0; i < N; i++)
        after ^= (unsigned)a[i];

    for (int i = 1; i < N; i++)
        assert(a[i - 1] <= a[i]);
    assert(before == after); // no number was lost
    return 0;
}
