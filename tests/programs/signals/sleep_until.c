// A sleep until a given time ends early as well; who tries again comes there.
//@ verdict: safe
//@ rev plain:
//@ rev once:
//@ clang[once]: -DONCE
//@ verdict[once]: unsafe(assert)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

static void on_usr1(int number) { (void)number; }

int main(void)
{
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_usr1;
    sigaction(SIGUSR1, &action, NULL);
    struct timespec until, now, left = {7, 7};
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 1;
    int result;
    do {
        result = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, &left);
        assert(result == 0 || result == EINTR);
#ifdef ONCE
        break;
#endif
    } while (result == EINTR);
    assert(left.tv_sec == 7 && left.tv_nsec == 7);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec)); //~ BUG! assert
    return 0;
}
