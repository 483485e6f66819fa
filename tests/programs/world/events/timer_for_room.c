// Who waits for a timer and asks for room to write, too, gets the timer: it never has room.
//@ verdict: safe
#include <assert.h>
#include <poll.h>
#include <stdint.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void set(int timer)
{
    struct itimerspec in = {.it_value = {.tv_nsec = 2000000}};
    assert(timerfd_settime(timer, 0, &in, NULL) == 0);
}

int main(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t count;
    set(timer);
    struct pollfd wanted = {.fd = timer, .events = POLLIN | POLLOUT};
    assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
    assert(read(timer, &count, sizeof count) == sizeof count);
    set(timer);
    fd_set reads, writes;
    FD_ZERO(&reads);
    FD_SET(timer, &reads);
    writes = reads;
    assert(select(timer + 1, &reads, &writes, NULL, NULL) == 1 && FD_ISSET(timer, &reads) && !FD_ISSET(timer, &writes));
    return 0;
}
