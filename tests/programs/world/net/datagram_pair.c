// Pairs of sockets keep the bounds of messages: what is too long is cut, an empty one is one, and each kind ends as on Linux.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static int ready(int s)
{
    struct pollfd wanted = {.fd = s, .events = POLLIN | POLLOUT | POLLRDHUP};
    poll(&wanted, 1, 0);
    return wanted.revents;
}

static char large[212961];

static void datagrams(void)
{
    int s[2];
    char text[8];
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0 && ready(s[0]) == POLLOUT);
    assert(send(s[0], "abc", 3, 0) == 3 && send(s[0], "", 0, 0) == 0 && write(s[0], "de", 2) == 2);
    assert(ready(s[1]) == (POLLIN | POLLOUT));
    assert(recv(s[1], text, 1, MSG_PEEK | MSG_TRUNC) == 3);
    struct iovec part = {text, 2};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    assert(recvmsg(s[1], &message, 0) == 2 && message.msg_flags == MSG_TRUNC && memcmp(text, "ab", 2) == 0);
    assert(recv(s[1], text, 8, 0) == 0);
    assert(read(s[1], text, 0) == 0 && recv(s[1], text, 8, MSG_WAITALL) == 2);
    assert(recv(s[1], text, 8, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    assert(send(s[0], large, sizeof large, 0) == -1 && errno == EMSGSIZE);
    int n = 0;
    while (send(s[0], "x", 1, MSG_DONTWAIT) == 1)
        n++;
    assert(errno == EAGAIN && n == 278 && ready(s[0]) == 0);
    assert(send(s[1], "y", 1, 0) == 1);
    close(s[1]);
    assert(send(s[0], "x", 1, 0) == -1 && errno == ECONNREFUSED);
    assert(send(s[0], "x", 1, 0) == -1 && errno == ENOTCONN);
    assert(recv(s[0], text, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN);
    close(s[0]);
}

static void packets(void)
{
    int s[2];
    char text[8];
    assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, s) == 0);
    assert(send(s[0], "abc", 3, 0) == 3 && send(s[0], "d", 1, 0) == 1);
    assert(recv(s[1], text, 2, 0) == 2 && recv(s[1], text, 8, 0) == 1 && text[0] == 'd');
    assert(shutdown(s[0], SHUT_WR) == 0 && recv(s[1], text, 1, 0) == 0);
    assert(send(s[0], "x", 1, 0) == -1 && errno == EPIPE); /* and no SIGPIPE */
    assert(send(s[1], "x", 1, 0) == 1);
    close(s[0]);
    assert(ready(s[1]) == (POLLIN | POLLOUT | POLLERR | POLLHUP | POLLRDHUP));
    assert(recv(s[1], text, 1, 0) == -1 && errno == ECONNRESET);
    assert(recv(s[1], text, 1, 0) == 0);
}

int main(void)
{
    datagrams();
    packets();
    return 0;
}
