/* The parts of stdlib.h that need no state: integer arithmetic, sorting, searching. */
#define _GNU_SOURCE
#include "runtime.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

WEAK int abs(int x) { return x < 0 ? -x : x; }
WEAK long labs(long x) { return x < 0 ? -x : x; }
WEAK long long llabs(long long x) { return x < 0 ? -x : x; }
WEAK intmax_t imaxabs(intmax_t x) { return x < 0 ? -x : x; }

WEAK div_t div(int a, int b) { return (div_t){.quot = a / b, .rem = a % b}; }
WEAK ldiv_t ldiv(long a, long b) { return (ldiv_t){.quot = a / b, .rem = a % b}; }
WEAK lldiv_t lldiv(long long a, long long b) { return (lldiv_t){.quot = a / b, .rem = a % b}; }
WEAK imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){.quot = a / b, .rem = a % b}; }

typedef int comparison(const void *, const void *, void *);

/* Sorts `n` elements of `size` bytes at `base`; `spare` has room for all of them. */
static void merge_sort(char *base, size_t n, size_t size, comparison *compare, void *context, char *spare)
{
    if (n <= 1)
        return;
    size_t n_left = n / 2, n_right = n - n_left;
    char *left = base, *right = base + n_left * size, *out = spare;
    merge_sort(left, n_left, size, compare, context, spare);
    merge_sort(right, n_right, size, compare, context, spare);
    while (n_left > 0 && n_right > 0) {
        if (compare(left, right, context) <= 0) {
            memcpy(out, left, size);
            left += size;
            n_left--;
        } else {
            memcpy(out, right, size);
            right += size;
            n_right--;
        }
        out += size;
    }
    /* What is left of the right half is in its place already. */
    memcpy(out, left, n_left * size);
    memcpy(base, spare, (n - n_right) * size);
}

/* Merge sort. On symbolic keys each comparison forks and asks the solver, and merge sort makes nearly the fewest a sort
 * can make. It is stable and splits as glibc's qsort does, so that even elements that compare equal end in the order in
 * which the real program leaves them. */
static void sort(void *base, size_t n, size_t size, comparison *compare, void *context)
{
    if (n <= 1)
        return;
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        bytes = SIZE_MAX;
    __selvedge_must_fit(base, bytes);
    char *spare = malloc(bytes);
    if (!spare)
        __selvedge_unsupported("qsort without memory for its copy");
    merge_sort(base, n, size, compare, context, spare);
    free(spare);
}

static int call_plain(const void *a, const void *b, void *context)
{
    return (*(int (**)(const void *, const void *))context)(a, b);
}

WEAK void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    sort(base, n, size, call_plain, &compare);
}

WEAK void qsort_r(void *base, size_t n, size_t size, comparison *compare, void *context)
{
    sort(base, n, size, compare, context);
}

WEAK void *bsearch(const void *key, const void *base, size_t n, size_t size,
                   int (*compare)(const void *, const void *))
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return NULL;
}
