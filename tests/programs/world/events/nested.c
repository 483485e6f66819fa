// A set as a member of another one, and sets that would contain themselves.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell;

static void *ring(void *arg)
{
    (void)arg;
    uint64_t one = 1;
    assert(write(bell, &one, 8) == 8);
    return 0;
}

int main(void)
{
    int inner = epoll_create1(0), outer = epoll_create1(0);
    bell = eventfd(0, 0);
    struct epoll_event in = {.events = EPOLLIN, .data.fd = inner}, edge = {.events = EPOLLIN | EPOLLET};
    assert(epoll_ctl(outer, EPOLL_CTL_ADD, inner, &in) == 0);
    assert(epoll_ctl(inner, EPOLL_CTL_ADD, outer, &in) == -1 && errno == ELOOP);
    assert(epoll_ctl(inner, EPOLL_CTL_ADD, inner, &in) == -1 && errno == EINVAL);
    assert(epoll_ctl(inner, EPOLL_CTL_ADD, bell, &edge) == 0);
    struct epoll_event got;
    assert(epoll_wait(outer, &got, 1, 0) == 0);
    pthread_t t;
    pthread_create(&t, 0, ring, 0);
    assert(epoll_wait(outer, &got, 1, -1) == 1 && got.data.fd == inner);
    struct pollfd one = {.fd = outer, .events = POLLIN};
    assert(poll(&one, 1, -1) == 1 && one.revents == POLLIN);
    assert(epoll_wait(inner, &got, 1, -1) == 1);
    assert(epoll_wait(inner, &got, 1, 0) == 0);
    assert(epoll_wait(outer, &got, 1, 0) == 0);
    pthread_join(t, 0);
    return 0;
}
