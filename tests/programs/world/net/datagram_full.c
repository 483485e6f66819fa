// A sender waits for room in the queue of a thread that takes one out; or that waits for room, too, and then both wait for ever.
//@ rev taken:
//@ verdict[taken]: safe
//@ rev stuck:
//@ clang[stuck]: -DSTUCK
//@ verdict[stuck]: unsafe(deadlock)
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "\0a"}, b = {.sun_family = AF_UNIX, .sun_path = "\0b"};
static int first, second;

static void *other(void *unused)
{
    char c;
#ifdef STUCK
    sendto(second, "x", 1, 0, (struct sockaddr *)&a, sizeof a);
#endif
    recv(second, &c, 1, 0);
    return unused;
}

int main(void)
{
    first = socket(AF_UNIX, SOCK_DGRAM, 0);
    second = socket(AF_UNIX, SOCK_DGRAM, 0);
    bind(first, (struct sockaddr *)&a, sizeof a);
    bind(second, (struct sockaddr *)&b, sizeof b);
    for (int i = 0; i < 11; i++) {
        assert(sendto(first, "x", 1, 0, (struct sockaddr *)&b, sizeof b) == 1);
        assert(sendto(second, "x", 1, 0, (struct sockaddr *)&a, sizeof a) == 1);
    }
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    assert(sendto(first, "x", 1, 0, (struct sockaddr *)&b, sizeof b) == 1); //~ BUG! deadlock
    pthread_join(t, NULL);
    return 0;
}
