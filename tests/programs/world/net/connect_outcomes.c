// A connection that nobody waits for, one that fails for other reasons than a refusal, and one whose other end is never accepted.
//@ verdict: safe
//@ flags: --peer /dev/null
//@ rev plain:
//@ rev fails: --fail io --fail-at-most 1
//@ verdict[fails]: unsafe(assert)
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static int error_of(int s)
{
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}

int main(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (s < 0)
        return 1;
    assert(connect(s, (struct sockaddr *)&name, sizeof name) == -1 && errno == EINPROGRESS);
    struct pollfd wanted = {.fd = s, .events = POLLOUT};
    if (poll(&wanted, 1, 0) == 0)
        assert(poll(&wanted, 1, -1) == 1);
    int error = error_of(s);
    assert(error == 0 || error == ECONNREFUSED); //~ BUG! assert
    assert(error == 0 ? wanted.revents == POLLOUT : wanted.revents == (POLLOUT | POLLERR | POLLHUP));
    if (error == 0) {
        assert(connect(s, (struct sockaddr *)&name, sizeof name) == 0);
        assert(connect(s, (struct sockaddr *)&name, sizeof name) == -1 && errno == EISCONN);
    }
    close(s);
    return 0;
}
