// How often a periodic timer has expired follows from the time that has passed.
//@ verdict: safe
//@ rev least: --check default
//@ rev late: --check default
//@ clang[late]: -DEXACTLY=5
//@ verdict[late]: unsafe(assert)
//@ rev many: --check default
//@ clang[many]: -DEXACTLY=1000
//@ verdict[many]: unsafe(assert)
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec each = {.it_interval = {.tv_nsec = 1000000}, .it_value = {.tv_nsec = 1000000}};
    assert(timerfd_settime(timer, 0, &each, NULL) == 0);
    struct timespec time = {.tv_nsec = 5000000};
    assert(nanosleep(&time, NULL) == 0);
    uint64_t count = 0;
    assert(read(timer, &count, sizeof count) == sizeof count);
    assert(count >= 5);
#ifdef EXACTLY
    assert(count == EXACTLY); //~ BUG! assert
#endif
    return 0;
}
