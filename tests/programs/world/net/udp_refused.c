// A connected socket for datagrams hears that nobody is there, or waits for an answer that may be anything.
//@ verdict: safe
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    char text[32];
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    assert(send(s, "x", 1, 0) == -1 && errno == EDESTADDRREQ);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    assert(connect(s, (struct sockaddr *)&name, sizeof name) == 0 && send(s, "x", 1, 0) == 1);
    struct pollfd wanted = {.fd = s, .events = POLLIN};
    assert(poll(&wanted, 1, -1) == 1);
    if (wanted.revents & POLLERR) {
        int error;
        socklen_t size = sizeof error;
        assert(getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == ECONNREFUSED);
        assert(send(s, "x", 1, 0) == 1 && send(s, "x", 1, 0) == -1 && errno == ECONNREFUSED);
        return 0;
    }
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    ssize_t n = recvfrom(s, text, sizeof text, 0, (struct sockaddr *)&from, &size);
    assert(n >= 0 && n <= 16 && from.sin_port == name.sin_port);
    return 0;
}
