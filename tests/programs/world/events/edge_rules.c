// What an event is for EPOLLET: readiness at EPOLL_CTL_ADD and EPOLL_CTL_MOD, each write, each read of a counter, the other
// end that is closed, room in a pipe that was full. Nothing else is.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int set;

static uint32_t now(void)
{
    struct epoll_event got;
    int n = epoll_wait(set, &got, 1, 0);
    assert(n == 0 || n == 1);
    return n ? got.events : 0;
}

int main(void)
{
    int ends[2];
    char bytes[4096];
    set = epoll_create1(EPOLL_CLOEXEC);
    assert(pipe2(ends, O_NONBLOCK) == 0);
    struct epoll_event in = {.events = EPOLLIN | EPOLLET}, out = {.events = EPOLLOUT | EPOLLET};
    assert(write(ends[1], "abc", 3) == 3);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &in) == 0);
    assert(now() == EPOLLIN && now() == 0);
    assert(epoll_ctl(set, EPOLL_CTL_MOD, ends[0], &in) == 0);
    assert(now() == EPOLLIN && now() == 0);
    assert(write(ends[1], "d", 1) == 1);
    assert(write(ends[1], "e", 1) == 1);
    assert(now() == EPOLLIN && now() == 0);
    assert(read(ends[0], bytes, 1) == 1 && now() == 0);
    assert(write(ends[1], "f", 1) == 1);
    assert(read(ends[0], bytes, sizeof bytes) == 5 && now() == 0);
    close(ends[1]);
    assert(now() == EPOLLHUP && now() == 0);
    close(ends[0]);

    assert(pipe2(ends, O_NONBLOCK) == 0);
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[1], &out) == 0);
    assert(now() == EPOLLOUT && now() == 0);
    assert(write(ends[1], "a", 1) == 1 && read(ends[0], bytes, 1) == 1 && now() == 0);
    while (write(ends[1], bytes, sizeof bytes) > 0)
        ;
    assert(errno == EAGAIN && now() == 0);
    while (read(ends[0], bytes, sizeof bytes) > 0)
        ;
    assert(now() == EPOLLOUT && now() == 0);
    close(ends[0]);
    assert(now() == (EPOLLOUT | EPOLLERR) && now() == 0);
    close(ends[1]);

    int bell = eventfd(1, EFD_NONBLOCK);
    struct epoll_event both = {.events = EPOLLIN | EPOLLOUT | EPOLLET | EPOLLONESHOT};
    uint64_t n = 0;
    assert(epoll_ctl(set, EPOLL_CTL_ADD, bell, &in) == 0);
    assert(now() == EPOLLIN && now() == 0);
    assert(write(bell, &n, 8) == 8 && now() == EPOLLIN && now() == 0);
    assert(epoll_ctl(set, EPOLL_CTL_MOD, bell, &both) == 0);
    assert(now() == (EPOLLIN | EPOLLOUT));
    assert(write(bell, &n, 8) == 8 && now() == 0);
    both.events &= ~EPOLLONESHOT;
    assert(epoll_ctl(set, EPOLL_CTL_MOD, bell, &both) == 0);
    assert(now() == (EPOLLIN | EPOLLOUT) && now() == 0);
    assert(read(bell, &n, 8) == 8 && n == 1 && now() == EPOLLOUT && now() == 0);
    return 0;
}
