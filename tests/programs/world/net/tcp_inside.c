// A server and a client in one program.
//@ verdict: safe
//@ flags: --timeout 100
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *client(void *arg)
{
    (void)arg;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(s, (struct sockaddr *)&address, sizeof address) == 0);
    assert(send(s, "hi", 2, 0) == 2);
    char reply[2];
    assert(recv(s, reply, 2, MSG_WAITALL) == 2 && memcmp(reply, "HI", 2) == 0);
    close(s);
    return 0;
}

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    address.sin_family = AF_INET;
    address.sin_port = htons(7000);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
    assert(listen(server, 1) == 0);
    pthread_t t;
    pthread_create(&t, 0, client, 0);
    /* The client, or somebody else. */
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    int s = accept(server, (struct sockaddr *)&from, &size);
    assert(s >= 0 && from.sin_family == AF_INET);
    char text[2];
    if (recv(s, text, 2, MSG_WAITALL) == 2 && memcmp(text, "hi", 2) == 0)
        send(s, "HI", 2, MSG_NOSIGNAL);
    close(s);
    return 0;
}
