// A timer expires when its time has come, and not before; the clock that it goes by agrees.
//@ verdict: safe
//@ rev early: --check default
//@ clang[early]: -DEARLY
//@ verdict[early]: unsafe(assert)
//@ rev unset: --check default
//@ clang[unset]: -DUNSET
//@ verdict[unset]: unsafe(deadlock)
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timespec begin, end;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    assert(timer >= 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
#ifndef UNSET
    struct itimerspec in = {.it_value = {.tv_sec = 2}};
    assert(timerfd_settime(timer, 0, &in, NULL) == 0);
#endif
    uint64_t count;
    assert(read(timer, &count, 4) == -1 && errno == EINVAL);
    assert(read(timer, &count, sizeof count) == sizeof count); //~ BUG! deadlock
    assert(count == 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert(end.tv_sec >= begin.tv_sec + 2);
#ifdef EARLY
    assert(end.tv_sec < begin.tv_sec + 5); //~ BUG! assert
#endif
    return 0;
}
