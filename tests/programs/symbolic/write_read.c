// Two writes at symbolic places of one array, then reads: the later write wins where they meet.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned char a[16] = {0}, i, k, m;
    SYMBOLIC(i);
    SYMBOLIC(k);
    SYMBOLIC(m);
    klee_assume((i < 16) & (k < 16) & (m < 16));
    a[i] = 1;
    a[k] = 2;
    assert(a[k] == 2);
    assert(a[i] == (i == k ? 2 : 1));
    if (m != i && m != k)
        assert(a[m] == 0);
    return 0;
}
