// A line-based server with a thread for each connection: a long line from outside breaks it.
//@ verdict: unsafe(assert)
//@ flags: --timeout 200
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

static void *serve(void *arg)
{
    int s = (int)(intptr_t)arg;
    char line[4], c;
    unsigned n = 0;
    while (read(s, &c, 1) == 1) {
        if (c == '\n') {
            write(s, line, n);
            n = 0;
            continue;
        }
        assert(n < sizeof line); //~ BUG! assert
        line[n++] = c;
    }
    close(s);
    return 0;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0x5c1f, .sin_addr.s_addr = INADDR_ANY};
    if (bind(server, (struct sockaddr *)&address, sizeof address) < 0 || listen(server, 5) < 0)
        return 1;
    for (;;) {
        int s = accept(server, 0, 0);
        if (s < 0)
            continue;
        pthread_t t;
        pthread_create(&t, 0, serve, (void *)(intptr_t)s);
        pthread_detach(t);
    }
}
