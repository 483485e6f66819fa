// A handler ends a sleep, with SA_RESTART as well; what is left of it is told.
//@ verdict: safe
//@ rev plain:
//@ rev fixed: --clock fixed
//@ rev whole:
//@ clang[whole]: -DWHOLE
//@ verdict[whole]: unsafe(assert)
//@ rev silent: --signals 0
//@ clang[silent]: -DWHOLE
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t n_rung;

static void on_usr1(int number)
{
    (void)number;
    n_rung++;
}

static int is_part(const struct timespec *left, const struct timespec *of)
{
    return left->tv_sec >= 0 && left->tv_nsec >= 0 && left->tv_nsec < 1000000000 &&
           (left->tv_sec < of->tv_sec || (left->tv_sec == of->tv_sec && left->tv_nsec <= of->tv_nsec));
}

int main(void)
{
    signal(SIGUSR1, on_usr1);
    errno = 0;
    unsigned left = sleep(2);
#ifdef WHOLE
    assert(left == 0); //~ BUG! assert
#endif
    assert(left <= 2 && (left == 0 || n_rung == 1));
    if (usleep(1500) < 0)
        assert(errno == EINTR && n_rung == 1);
    struct timespec wanted = {1, 500000000}, rest = {-1, -1}, before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    int result = nanosleep(&wanted, &rest);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (result == 0) {
        assert(rest.tv_sec == -1);
        assert(after.tv_sec - before.tv_sec >= 1);
    } else {
        assert(errno == EINTR && n_rung == 1 && is_part(&rest, &wanted));
        assert(after.tv_sec - before.tv_sec + rest.tv_sec >= 0);
    }
    struct timespec other = {3, 7};
    result = clock_nanosleep(CLOCK_MONOTONIC, 0, &other, &other);
    assert(result == 0 || (result == EINTR && n_rung == 1));
    assert(is_part(&other, &(struct timespec){3, 7}));
    return 0;
}
