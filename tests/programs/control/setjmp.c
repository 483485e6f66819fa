// setjmp and longjmp: an error that leaves three calls at once, and longjmp with 0 that returns 1.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <setjmp.h>

static jmp_buf handler;
static volatile int n_left;

static void third(int x)
{
    if (x > 10)
        longjmp(handler, x);
    n_left++;
}
static void second(int x)
{
    third(x);
    n_left++;
}
static void first(int x)
{
    second(x);
    n_left++;
}

int main(void)
{
    volatile int x = __VERIFIER_nondet_int();
    int code = setjmp(handler);
    if (code == 0) {
        first(x);
        assert(x <= 10 && n_left == 3);
    } else {
        assert(code == x && x > 10 && n_left == 0);
    }
    volatile int round = 0;
    if (setjmp(handler) == 0) {
        round++;
        longjmp(handler, 0);
    } else {
        round++;
    }
    assert(round == 2);
    return 0;
}
