// A label of CBMC's whose statement runs in a thread of its own is not passed over as a plain one, wherever it stands.
//@ verdict: unknown
//@ reason: a label __CPROVER_ASYNC_..., whose statement runs in a thread of its own
//@ rev plain:
//@ rev jump:
//@ clang[jump]: -DJUMP
//@ rev nested:
//@ clang[nested]: -DNESTED
#include <assert.h>

int x;

#ifdef NESTED
static int in_a_loop(int n)
{
    for (int i = 0; i < n; i++) {
        int last[4] = {n};
        if (i == last[0] - 1)
        __CPROVER_ASYNC_1:
            x = 1;
    }
    return x;
}

int main(void)
{
    int n = in_a_loop(2);
    assert(n == 1);
    return 0;
}
#elif defined(JUMP)
static void f(void)
{
    goto __CPROVER_ASYNC_2;
__CPROVER_ASYNC_2:
    x = 1;
}

int main(void)
{
    f();
    assert(x == 1);
    return 0;
}
#else
int main(void)
{
    x = 0;
__CPROVER_ASYNC_1:
    x = 1;
    assert(x == 1);
    return 0;
}
#endif
