// A server waits in poll, without a limit, while a reader of a pipe waits for what it would write.
//@ verdict: safe
//@ rev plain:
//@ assumes[plain]: threads.served-later world.io-succeeds world.network world.peer-bound world.threads-succeed
//@ rev stuck:
//@ clang[stuck]: -DSTUCK
//@ verdict[stuck]: unsafe(deadlock)
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_pipe(void *unused)
{
#ifdef STUCK
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock); //~ BUG! deadlock
#endif
    char c;
    while (read(ends[0], &c, 1) == 1)
        ;
    return unused;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(8080)};
    if (pipe(ends) < 0 || bind(server, (struct sockaddr *)&name, sizeof name) < 0 || listen(server, 1) < 0)
        return 1;
    pthread_t reader;
    pthread_create(&reader, NULL, read_pipe, NULL);
    for (;;) {
        struct pollfd wanted = {.fd = server, .events = POLLIN};
        if (poll(&wanted, 1, -1) != 1)
            continue;
        int client = accept(server, NULL, NULL);
        write(ends[1], "x", 1);
        close(client);
    }
}
