// Abstract local addresses of one type of sockets are not those of another one.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

int main(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0selvedge"};
    struct sockaddr *to = (struct sockaddr *)&name;
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 9;
    int stream = socket(AF_UNIX, SOCK_STREAM, 0), packets = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    int one = socket(AF_UNIX, SOCK_DGRAM, 0), other = socket(AF_UNIX, SOCK_DGRAM, 0);
    assert(bind(stream, to, size) == 0 && listen(stream, 1) == 0);
    int gets_answer = connect(one, to, size) == 0;
    assert(gets_answer || errno == ECONNREFUSED);
    if (gets_answer)
        return 0;
    assert(bind(one, to, size) == 0);
    assert(bind(packets, to, size) == 0);
    assert(bind(other, to, size) == -1 && errno == EADDRINUSE);
    assert(connect(other, to, size) == 0);
    return 0;
}
