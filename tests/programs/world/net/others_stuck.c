// Two threads block each other while a third one waits for clients: whoever comes, they wait for ever.
//@ verdict: unsafe(deadlock)
//@ rev plain:
//@ rev joined:
//@ clang[joined]: -DJOINED
//@ rev died:
//@ clang[died]: -DDIED
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take_and_give(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex); //~ BUG! deadlock
    pthread_mutex_unlock(mutex);
}

static void *forth(void *unused)
{
    pthread_mutex_lock(&a);
#ifdef DIED
    pthread_exit(unused);
#endif
    take_and_give(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *back(void *unused)
{
    pthread_mutex_lock(&b);
    take_and_give(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

static int server;

static void *serve(void *unused)
{
    (void)unused;
    for (;;) {
        int client = accept(server, NULL, NULL);
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
    pthread_t first, second;
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
#ifdef JOINED
    pthread_t third;
    pthread_create(&third, NULL, serve, NULL);
    pthread_join(second, NULL);
#else
    serve(NULL);
#endif
}
