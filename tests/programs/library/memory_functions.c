// memcpy, memmove, memset, memcmp, memchr on symbolic bytes; one of the lengths is symbolic too.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <string.h>

int main(void)
{
    unsigned char a[6], b[6];
    SYMBOLIC(a);
    memcpy(b, a, sizeof b);
    assert(memcmp(a, b, sizeof a) == 0);
    memmove(b + 1, b, 5);
    assert(b[0] == a[0] && b[1] == a[0] && b[5] == a[4]);
    memmove(b, b + 2, 4);
    assert(b[0] == a[1] && b[3] == a[4]);
    memset(b, 0x5a, 3);
    assert(b[2] == 0x5a && b[3] == a[4]);
    unsigned char *p = memchr(a, 7, sizeof a);
    assert(p ? *p == 7 : a[0] != 7 && a[5] != 7);
    size_t n;
    SYMBOLIC(n);
    klee_assume(n <= 4);
    memset(b, 0, sizeof b);
    memcpy(b, a, n);
    for (size_t i = 0; i < 6; i++)
        assert(b[i] == (i < n ? a[i] : 0));
    // The sign of memcmp is that of the first difference, as unsigned bytes.
    if (a[0] == b[0] && a[1] > b[1])
        assert(memcmp(a, b, 2) > 0);
    return 0;
}
