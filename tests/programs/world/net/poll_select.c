// poll and select without a limit wait until something is ready.
//@ verdict: safe
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <unistd.h>

static int a[2], b[2];

static void *producer(void *arg)
{
    (void)arg;
    write(b[1], "x", 1);
    close(a[1]);
    return 0;
}

int main(void)
{
    pipe(a);
    pipe(b);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    struct pollfd wanted[3] = {{.fd = a[0], .events = POLLIN}, {.fd = -1}, {.fd = b[0], .events = POLLIN}};
    int n = poll(wanted, 3, -1);
    assert(n >= 1 && wanted[2].revents == POLLIN);
    assert(wanted[0].revents == 0 || wanted[0].revents == POLLHUP);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(a[0], &set);
    assert(select(a[0] + 1, &set, 0, 0, 0) == 1 && FD_ISSET(a[0], &set));
    char c;
    assert(read(a[0], &c, 1) == 0);
    struct timeval none = {0, 0};
    FD_ZERO(&set);
    FD_SET(b[1], &set);
    assert(select(b[1] + 1, 0, &set, 0, &none) == 0 && !FD_ISSET(b[1], &set));
    assert(read(b[0], &c, 1) == 1 && c == 'x');
    pthread_join(t, 0);
    return 0;
}
