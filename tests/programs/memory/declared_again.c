// A jump back over a declaration in the same block: the variable is the same one, and a pointer to it stays good; only its
// value is gone, and may be another one each time.
//@ rev initialised:
//@ rev lost:
//@ rev inner:
//@ clang[lost]: -DLOST
//@ clang[inner]: -DINNER
//@ verdict: safe
//@ verdict[lost]: unsafe(assert)
//@ verdict[inner]: unsafe(memory)
#include <assert.h>

int main(void)
{
    int i = 0, *kept = 0;
#if defined LOST
    int first = 0;
top:;
    int x;
    if (i == 0)
        first = x;
    else
        assert(x == first);
    kept = &x;
    (void)kept;
    if (++i < 2)
        goto top;
#elif defined INNER
    for (i = 0; i < 2; i++) {
    top:;
        int x = i;
        if (kept && i == 1)
            return *kept;
        kept = &x;
        if (i > 5)
            goto top;
    }
#else
top:;
    int x = i;
    if (kept)
        assert(kept == &x && *kept == i);
    kept = &x;
    if (++i < 3)
        goto top;
    assert(*kept == 2);
#endif
    return 0;
}
