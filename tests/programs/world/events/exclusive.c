// EPOLLEXCLUSIVE: one set or more is told of a write; a program must not rely on all of them being told.
//@ verdict: safe
//@ rev one:
//@ rev both:
//@ verdict[both]: unsafe(deadlock)
//@ clang[both]: -DBOTH
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell, done, sets[2];

static void *worker(void *arg)
{
    int set = *(int *)arg;
    struct epoll_event got;
    uint64_t n;
    assert(epoll_wait(set, &got, 1, -1) == 1); //~ BUG! deadlock
#ifndef BOTH
    assert(read(bell, &n, 8) == 8);
    n = 1;
    assert(write(done, &n, 8) == 8);
#else
    (void)n;
#endif
    return 0;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        sets[i] = epoll_create1(0);
    bell = eventfd(0, EFD_SEMAPHORE);
    done = eventfd(0, 0);
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
        struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE};
        assert(epoll_ctl(sets[i], EPOLL_CTL_ADD, bell, &event) == 0);
        assert(epoll_ctl(sets[i], EPOLL_CTL_MOD, bell, &event) == -1 && errno == EINVAL);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, &sets[i]);
    uint64_t n = 2;
    assert(write(bell, &n, 8) == 8);
#ifndef BOTH
    assert(read(done, &n, 8) == 8 && (n == 1 || n == 2));
    return 0;
#else
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
#endif
}
