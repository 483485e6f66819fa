// Differences, steps and comparisons of pointers into one array.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct wide {
    char c[12];
};

int main(void)
{
    int numbers[8];
    struct wide wides[4];
    unsigned i, k;
    SYMBOLIC(i);
    SYMBOLIC(k);
    klee_assume((i < 8) & (k < 8));
    int *p = numbers + i, *q = &numbers[k];
    assert(q - p == (int)k - (int)i);
    assert((p < q) == (i < k) && (p == q) == (i == k) && (p >= q) == (i >= k));
    assert(p + (q - p) == q);
    assert((char *)q - (char *)p == 4 * ((int)k - (int)i));
    assert(&wides[3] - &wides[1] == 2 && (char *)&wides[3] - (char *)wides == 36);
    // One past the end may be computed and compared.
    int *end = numbers + 8;
    assert(p < end && end - p == 8 - (int)i);
    *p = 1;
    *q = 2;
    assert(numbers[k] == 2 && (i == k || numbers[i] == 1));
    for (int *r = numbers; r != end; ++r)
        *r = (int)(r - numbers);
    assert(*p == (int)i && p[0] == i[numbers]);
    return 0;
}
