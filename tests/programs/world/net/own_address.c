// Nobody outside answers at an address that the program has bound a socket to.
//@ verdict: safe
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void streams(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int bound = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert(bind(bound, (struct sockaddr *)&name, size) == 0);
    assert(getsockname(bound, (struct sockaddr *)&name, &size) == 0);
    assert(connect(s, (struct sockaddr *)&name, size) == -1 && errno == EINPROGRESS);
    struct pollfd wanted = {.fd = s, .events = POLLIN | POLLOUT};
    assert(poll(&wanted, 1, -1) == 1 && (wanted.revents & POLLERR));
    int error;
    socklen_t length = sizeof error;
    assert(getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &length) == 0 && error == ECONNREFUSED);
}

static void datagrams(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, other;
    socklen_t size = sizeof name;
    int bound = socket(AF_INET, SOCK_DGRAM, 0), s = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(bound, (struct sockaddr *)&name, size) == 0);
    assert(getsockname(bound, (struct sockaddr *)&name, &size) == 0);
    other = name;
    other.sin_port = htons(9);
    assert(connect(bound, (struct sockaddr *)&other, size) == 0);
    /* It takes messages from somebody else only. */
    assert(connect(s, (struct sockaddr *)&name, size) == 0);
    assert(send(s, "x", 1, 0) == 1);
    assert(send(s, "x", 1, 0) == -1 && errno == ECONNREFUSED);
}

static void paths(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "name"};
    const struct sockaddr *to = (struct sockaddr *)&name;
    unlink("name");
    int bound = socket(AF_UNIX, SOCK_STREAM, 0), s = socket(AF_UNIX, SOCK_STREAM, 0);
    int messages = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(bind(bound, to, sizeof name) == 0);
    assert(connect(s, to, sizeof name) == -1 && errno == ECONNREFUSED);
    assert(open("name", O_RDONLY) == -1 && errno == ENXIO);
    close(bound);
    assert(connect(s, to, sizeof name) == -1 && errno == ECONNREFUSED);
    assert(sendto(messages, "x", 1, 0, to, sizeof name) == -1 && errno == ECONNREFUSED);
    unlink("name");
    assert(connect(s, to, sizeof name) == -1 && errno == ENOENT);
}

int main(void)
{
    streams();
    datagrams();
    paths();
    return 0;
}
