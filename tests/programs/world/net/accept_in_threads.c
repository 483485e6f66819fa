// Several threads accept, one at a time under a lock or all at once, and main waits for their end.
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ assumes[locked]: threads.served-later world.io-succeeds world.network world.peer-bound world.threads-succeed
//@ rev free:
//@ verdict[free]: safe
//@ assumes[free]: world.io-succeeds world.network world.peer-bound world.threads-succeed
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int server;

static void *serve(void *unused)
{
    (void)unused;
    for (;;) {
#ifdef LOCKED
        pthread_mutex_lock(&lock);
#endif
        int client = accept(server, NULL, NULL);
#ifdef LOCKED
        pthread_mutex_unlock(&lock);
#endif
        if (client >= 0)
            close(client);
    }
}

int main(void)
{
    server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(8080)};
    if (bind(server, (struct sockaddr *)&name, sizeof name) < 0 || listen(server, 1) < 0)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, serve, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
