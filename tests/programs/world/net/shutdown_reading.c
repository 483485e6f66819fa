// After SHUT_RD an internet connection still gives what comes later; a local one refuses it.
//@ verdict: safe
//@ rev inside: --sym-peers 1
//@ rev outside: --sym-peers 1
//@ clang[outside]: -DOUTSIDE
//@ rev never: --sym-peers 1
//@ clang[never]: -DOUTSIDE -DNEVER
//@ verdict[never]: unsafe(assert)
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef OUTSIDE
int main(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&name, sizeof name) < 0)
        return 0;
    char c;
    assert(shutdown(s, SHUT_RD) == 0);
    ssize_t n = read(s, &c, 1);
#ifdef NEVER
    assert(n == 0); //~ BUG! assert
#endif
    assert(n == 0 || n == 1);
    return 0;
}
#else
static void internet(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&name, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&name, &size) == 0);
    assert(connect(client, (struct sockaddr *)&name, size) == 0);
    int s = accept(listener, NULL, NULL);
    char c;
    assert(shutdown(s, SHUT_RD) == 0);
    assert(read(s, &c, 1) == 0 && recv(s, &c, 1, MSG_DONTWAIT) == 0);
    struct pollfd wanted = {.fd = client, .events = POLLIN | POLLOUT};
    assert(poll(&wanted, 1, 0) == 1 && wanted.revents == POLLOUT);
    assert(send(client, "xy", 2, MSG_NOSIGNAL) == 2);
    assert(read(s, &c, 1) == 1 && c == 'x');
    assert(read(s, &c, 1) == 1 && c == 'y');
    assert(read(s, &c, 1) == 0);
    assert(write(s, "z", 1) == 1 && read(client, &c, 1) == 1 && c == 'z');
}

int main(void)
{
    int ends[2];
    char c;
    internet();
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(write(ends[1], "a", 1) == 1);
    assert(shutdown(ends[0], SHUT_RD) == 0);
    assert(send(ends[1], "b", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    assert(read(ends[0], &c, 1) == 1 && c == 'a');
    assert(read(ends[0], &c, 1) == 0);
    return 0;
}
#endif
