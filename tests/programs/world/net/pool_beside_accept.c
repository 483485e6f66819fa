// Workers that wait for jobs while the server waits for its next client: no deadlock is known, and the verdict says so.
//@ verdict: safe
//@ rev plain:
//@ assumes[plain]: threads.nothing-spurious threads.served-later world.io-succeeds world.network world.peer-bound world.threads-succeed
//@ rev strict: --strict
//@ verdict[strict]: unknown
//@ reason[strict]: served when somebody comes
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int jobs[4], n_jobs;

static void *work(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (n_jobs == 0)
            pthread_cond_wait(&filled, &lock);
        int client = jobs[--n_jobs];
        pthread_mutex_unlock(&lock);
        close(client);
    }
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(8080)};
    if (bind(server, (struct sockaddr *)&name, sizeof name) < 0 || listen(server, 1) < 0)
        return 1;
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (;;) {
        int client = accept(server, NULL, NULL);
        if (client < 0)
            continue;
        pthread_mutex_lock(&lock);
        if (n_jobs < 4)
            jobs[n_jobs++] = client;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
}
