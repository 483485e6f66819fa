// epoll and eventfd between two threads. What happened first comes first.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ends[2], bell;

static void *producer(void *arg)
{
    (void)arg;
    uint64_t three = 3;
    assert(write(bell, &three, 8) == 8);
    assert(write(ends[1], "x", 1) == 1);
    return 0;
}

int main(void)
{
    pipe(ends);
    bell = eventfd(0, EFD_SEMAPHORE);
    int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = ends[0]};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == -1 && errno == EEXIST);
    event.data.fd = bell;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, bell, &event) == 0);
    assert(epoll_wait(set, &event, 1, 0) == 0);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    struct epoll_event found[2];
    int n = epoll_wait(set, found, 2, -1);
    assert(n == 1 || n == 2);
    assert(found[0].data.fd == bell && found[0].events == EPOLLIN);
    uint64_t one;
    for (int i = 0; i < 3; i++)
        assert(read(bell, &one, 8) == 8 && one == 1);
    assert(epoll_ctl(set, EPOLL_CTL_DEL, bell, 0) == 0);
    assert(epoll_wait(set, found, 2, -1) == 1 && found[0].data.fd == ends[0]);
    pthread_join(t, 0);
    return 0;
}
