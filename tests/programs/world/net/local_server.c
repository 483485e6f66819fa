// A local address is a file: it is in the way of the next one until it is removed.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "sock"};
    unlink("sock");
    int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert(fcntl(server, F_GETFD) == FD_CLOEXEC);
    assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
    struct stat facts;
    assert(stat("sock", &facts) == 0 && S_ISSOCK(facts.st_mode));
    int again = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(again, (struct sockaddr *)&address, sizeof address) == -1 && errno == EADDRINUSE);
    assert(listen(server, 3) == 0);
    assert(connect(again, (struct sockaddr *)&address, sizeof address) == 0);
    int s = accept(server, 0, 0);
    assert(s >= 0 && write(again, "abc", 3) == 3);
    char text[8];
    assert(recv(s, text, 2, MSG_PEEK) == 2 && read(s, text, 8) == 3 && memcmp(text, "abc", 3) == 0);
    assert(send(s, "xyz", 3, 0) == 3);
    close(again);
    assert(read(s, text, 8) == -1 && errno == ECONNRESET);
    assert(read(s, text, 8) == 0);
    assert(send(s, "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
    assert(recv(1, text, 1, 0) == -1 && errno == ENOTSOCK);
    return 0;
}
