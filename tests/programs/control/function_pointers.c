// Function pointers: as arguments, returned, compared, chosen by a condition.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

typedef int operation(int, int);

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

static operation *choose(int want_larger) { return want_larger ? larger : smaller; }

static int fold(const int *values, int n, operation *f)
{
    int result = values[0];
    for (int i = 1; i < n; i++)
        result = f(result, values[i]);
    return result;
}

int main(void)
{
    int values[3];
    SYMBOLIC(values);
    int want = __VERIFIER_nondet_int();
    operation *f = choose(want);
    assert((f == larger) == (want != 0) && f != 0);
    int result = fold(values, 3, f);
    for (int i = 0; i < 3; i++)
        assert(want ? result >= values[i] : result <= values[i]);
    return 0;
}
