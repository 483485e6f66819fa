// A handler could end a wait for a futex, or connect, with EINTR; that is not explored, and said so.
//@ rev futex:
//@ rev connect:
//@ clang[connect]: -DCONNECT
//@ verdict: safe
//@ assumes: world.signals-bound world.uninterrupted
//@ assumes[connect]: world.uninterrupted world.signals-bound world.network world.peer-bound world.io-succeeds
#include <linux/futex.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void ignores(int signal) { (void)signal; }

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = ignores;
    sigaction(SIGUSR1, &action, NULL);
#ifdef CONNECT
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(80), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
        return 1;
#else
    int word = 1;
    return syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0;
#endif
    return 0;
}
