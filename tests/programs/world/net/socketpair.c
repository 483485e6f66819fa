// Two threads talk over a pair of sockets; each end sees the other's end.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *answer(void *arg)
{
    (void)arg;
    char c;
    while (recv(ends[1], &c, 1, 0) == 1) {
        c++;
        assert(send(ends[1], &c, 1, MSG_NOSIGNAL) == 1);
    }
    close(ends[1]);
    return 0;
}

int main(void)
{
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_t t;
    pthread_create(&t, 0, answer, 0);
    char c = 'a';
    assert(write(ends[0], &c, 1) == 1);
    assert(read(ends[0], &c, 1) == 1 && c == 'b');
    shutdown(ends[0], SHUT_WR);
    assert(read(ends[0], &c, 1) == 0);
    pthread_join(t, 0);
    return 0;
}
