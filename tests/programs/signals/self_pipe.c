// A handler writes into a pipe that the main loop polls. The loop must not take EINTR for a failure: no flag of the handler
// keeps it away from poll and select.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ rev select:
//@ clang[select]: -DSELECT
//@ rev epoll:
//@ clang[epoll]: -DEPOLL
//@ rev limited:
//@ clang[limited]: -DLIMIT=100
//@ rev careful:
//@ clang[careful]: -DCAREFUL
//@ verdict[careful]: safe
//@ rev careful_select:
//@ clang[careful_select]: -DCAREFUL -DSELECT
//@ verdict[careful_select]: safe
//@ rev careful_epoll:
//@ clang[careful_epoll]: -DCAREFUL -DEPOLL
//@ verdict[careful_epoll]: safe
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#ifndef LIMIT
#define LIMIT -1
#endif

static int ends[2];

static void on_term(int number)
{
    (void)number;
    int before = errno;
    (void)!write(ends[1], "x", 1);
    errno = before;
}

static int wait_for_bytes(void)
{
#if defined SELECT
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return select(ends[0] + 1, &set, NULL, NULL, NULL);
#elif defined EPOLL
    static int epoll = -1;
    if (epoll < 0) {
        struct epoll_event wanted = {.events = EPOLLIN};
        epoll = epoll_create1(0);
        epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &wanted);
    }
    struct epoll_event got;
    return epoll_wait(epoll, &got, 1, LIMIT);
#else
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    return poll(&one, 1, LIMIT);
#endif
}

int main(void)
{
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_term;
    assert(pipe(ends) == 0);
    sigaction(SIGTERM, &action, NULL);
    raise(SIGTERM);
    char byte;
    assert(wait_for_bytes() == 1 && read(ends[0], &byte, 1) == 1 && byte == 'x');
    int n, rounds = 0;
    do {
        if (LIMIT >= 0 && rounds++ == 2)
            return 1;
        n = wait_for_bytes();
#ifdef CAREFUL
        if (n < 0 && errno == EINTR)
            continue;
#endif
        assert(n >= 0); //~ BUG! assert
    } while (n < 1);
    assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
    return 0;
}
