// A handler that changes errno, between a call and the look at what it said.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ rev kept:
//@ clang[kept]: -DKEPT
//@ verdict[kept]: safe
#include <assert.h>
#include <errno.h>
#include <signal.h>

static void on_term(int number)
{
    (void)number;
#ifdef KEPT
    int saved = errno;
#endif
    errno = EDOM;
#ifdef KEPT
    errno = saved;
#endif
}

int main(void)
{
    signal(SIGTERM, on_term);
    errno = 0;
    int result = kill(0, 999);
    assert(result == -1 && errno == EINVAL); //~ BUG! assert
    return 0;
}
