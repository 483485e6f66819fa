// poll with a limit: something may be there, or the time is over.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *arg)
{
    (void)arg;
    write(ends[1], "x", 1);
    return 0;
}

int main(void)
{
    pipe(ends);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    struct pollfd wanted = {.fd = ends[0], .events = POLLIN};
    int n = poll(&wanted, 1, 100);
    assert(n == (wanted.revents != 0));
    assert(n == 1); //~ BUG! assert
    pthread_join(t, 0);
    return 0;
}
