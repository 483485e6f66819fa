// The classic mistake with EPOLLET: who reads only a part waits for ever for the rest. With level-triggered members, or
// when all is read, nothing is lost; neither is it if the rest comes with another write.
//@ verdict: safe
//@ rev part:
//@ verdict[part]: unsafe(deadlock)
//@ clang[part]: -DPART
//@ rev all:
//@ rev level:
//@ clang[level]: -DPART -DLEVEL
//@ rev again:
//@ clang[again]: -DPART -DAGAIN
//@ rev socket:
//@ verdict[socket]: unsafe(deadlock)
//@ clang[socket]: -DPART -DSOCKET
//@ rev socket_all:
//@ clang[socket_all]: -DSOCKET
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef LEVEL
#define EDGE 0
#else
#define EDGE EPOLLET
#endif

static int ends[2], turn[2];

static void *writer(void *arg)
{
    (void)arg;
    assert(write(ends[1], "ab", 2) == 2);
#ifdef AGAIN
    char byte;
    while (read(turn[0], &byte, 1) != 1)
        ;
    assert(write(ends[1], "cd", 2) == 2);
#endif
    return 0;
}

int main(void)
{
#ifdef SOCKET
    assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
#else
    assert(pipe2(ends, O_NONBLOCK) == 0);
#endif
    int set = epoll_create1(0);
    assert(pipe(turn) == 0);
    struct epoll_event event = {.events = EPOLLIN | EDGE};
    assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event) == 0);
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    int got = 0;
#ifdef AGAIN
    const int wanted = 4;
#else
    const int wanted = 2;
#endif
    while (got < wanted) {
        assert(epoll_wait(set, &event, 1, -1) == 1); //~ BUG! deadlock
        assert(event.events == EPOLLIN);
        char bytes[4];
#ifdef PART
        ssize_t n = read(ends[0], bytes, 1 + (got > 0) * 2);
#else
        ssize_t n = read(ends[0], bytes, sizeof bytes);
#endif
        assert(n > 0);
        got += (int)n;
#ifdef AGAIN
        if (got == 1)
            assert(write(turn[1], "x", 1) == 1);
#endif
    }
    pthread_join(t, 0);
    return 0;
}
