// Two clients of a server with a thread for each: a number is lost only if both send the right byte and are served at once.
//@ verdict: unsafe(assert)
//@ rev two: --sym-peers 1,1
//@ rev one: --sym-peers 2
//@ verdict[one]: safe
//@ rev given: --sym-peers 0,0
//@ verdict[given]: safe
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

static int total;
static _Atomic int received;

static void *serve(void *arg)
{
    int client = (int)(intptr_t)arg;
    char c;
    while (read(client, &c, 1) == 1) {
        if (c == '+') {
            total++;
            received++;
        }
    }
    close(client);
    return NULL;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(8080)};
    if (bind(server, (struct sockaddr *)&name, sizeof name) < 0 || listen(server, 5) < 0)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int client = accept(server, NULL, NULL);
        pthread_create(&threads[i], NULL, serve, (void *)(intptr_t)client);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == received); //~ BUG! assert
    return 0;
}
