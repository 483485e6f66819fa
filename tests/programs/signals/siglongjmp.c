// A jump out of a handler: the mask is as it was saved, and locals show where the signal came.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ rev mask:
//@ clang[mask]: -DMASK
//@ verdict[mask]: safe
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf back;

static void on_int(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

int main(void)
{
    volatile int step = 0;
    sigset_t mask;
    if (sigsetjmp(back, 1)) {
        sigprocmask(SIG_BLOCK, NULL, &mask);
        assert(!sigismember(&mask, SIGINT));
#ifndef MASK
        assert(step != 1); //~ BUG! assert
#endif
        return 0;
    }
    signal(SIGINT, on_int);
    step = 1;
    step = 2;
    signal(SIGINT, SIG_DFL);
    return 0;
}
