// What the peer sends can be given: nothing.
//@ verdict: unsafe(assert)
//@ flags: --peer /dev/null
#include <assert.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/tmp/server"};
    if (connect(s, (struct sockaddr *)&address, sizeof address) < 0)
        return 1;
    char text[8];
    ssize_t n = recv(s, text, sizeof text, MSG_WAITALL);
    assert(n > 0); //~ BUG! assert
    return 0;
}
