// A peer's bytes come in parts, and what is looked for at once may not be there yet.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0x5000};
    if (connect(s, (struct sockaddr *)&address, sizeof address) < 0) {
        assert(errno == ECONNREFUSED);
        return 1;
    }
    char a[2], c;
    if (recv(s, &c, 1, MSG_DONTWAIT) < 0) {
        assert(errno == EAGAIN);
        struct pollfd wanted = {.fd = s, .events = POLLIN};
        assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
    }
    ssize_t n = recv(s, a, 2, 0);
    if (n == 1)
        assert(recv(s, &c, 1, 0) == 0); //~ BUG! assert
    return 0;
}
