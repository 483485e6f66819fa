// Local datagrams to names, also abstract ones: who may send to whom, and what comes of it.
//@ verdict: safe
//@ flags: --no-files --peer /dev/null
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "a"};
static struct sockaddr_un b = {.sun_family = AF_UNIX, .sun_path = "\0b"};
#define A (struct sockaddr *)&a, sizeof a
#define B (struct sockaddr *)&b, offsetof(struct sockaddr_un, sun_path) + 2

int main(void)
{
    char text[4];
    int first = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(send(first, "x", 1, 0) == -1 && errno == ENOTCONN);
    assert(listen(first, 1) == -1 && errno == EOPNOTSUPP);
    assert(bind(first, A) == 0);
    recv(first, text, 1, 0); /* Somebody outside is the first to send; no other one comes. */
    int second = socket(AF_UNIX, SOCK_DGRAM, 0), third = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(sendto(second, "x", 1, 0, B) == -1 && errno == ECONNREFUSED);
    struct sockaddr_un from;
    socklen_t size = sizeof from;
    assert(sendto(second, "xy", 2, 0, A) == 2);
    assert(recvfrom(first, text, 4, 0, (struct sockaddr *)&from, &size) == 2 && size == 0);
    assert(bind(second, B) == 0 && bind(third, B) == -1 && errno == EADDRINUSE);
    assert(sendto(second, "z", 1, 0, A) == 1);
    size = sizeof from;
    assert(recvfrom(first, text, 4, 0, (struct sockaddr *)&from, &size) == 1 && size == 4);
    assert(memcmp(from.sun_path, "\0b", 2) == 0);
    assert(sendto(first, "w", 1, 0, (struct sockaddr *)&from, size) == 1 && recv(second, text, 4, 0) == 1);
    assert(connect(second, A) == 0);
    assert(sendto(third, "x", 1, 0, B) == -1 && errno == EPERM);
    int n = 0;
    while (send(second, "x", 1, MSG_DONTWAIT) == 1)
        n++;
    assert(errno == EAGAIN && n == 11);
    int stream = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(stream, A) == -1 && errno == EPROTOTYPE);
    close(first);
    assert(send(second, "x", 1, 0) == -1 && errno == ECONNREFUSED);
    assert(connect(second, A) == -1 && errno == ECONNREFUSED);
    return 0;
}
