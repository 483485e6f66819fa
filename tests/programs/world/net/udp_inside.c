// Two threads send each other datagrams over the internet; with --fail io one may be lost, and then both wait for ever.
//@ verdict: safe
//@ assumes[whole]: world.datagrams-arrive world.io-succeeds world.network world.threads-succeed
//@ rev whole:
//@ rev lost: --fail io --fail-at-most 1
//@ verdict[lost]: unsafe(deadlock)
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int asks, answers;

static void *answer(void *unused)
{
    char text[4];
    if (recv(answers, text, sizeof text, 0) == 2 && memcmp(text, "hi", 2) == 0)
        send(answers, "HI!", 3, 0);
    return unused;
}

static int socket_at(struct sockaddr_in *name)
{
    socklen_t size = sizeof *name;
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    memset(name, 0, sizeof *name);
    name->sin_family = AF_INET;
    name->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (s < 0 || bind(s, (struct sockaddr *)name, sizeof *name) < 0)
        _exit(1);
    getsockname(s, (struct sockaddr *)name, &size);
    return s;
}

int main(void)
{
    struct sockaddr_in here, there;
    asks = socket_at(&here);
    answers = socket_at(&there);
    if (connect(asks, (struct sockaddr *)&there, sizeof there) < 0 ||
        connect(answers, (struct sockaddr *)&here, sizeof here) < 0)
        return 1;
    pthread_t t;
    if (pthread_create(&t, NULL, answer, NULL) != 0 || send(asks, "hi", 2, 0) != 2)
        return 1;
    char text[4];
    ssize_t n = recv(asks, text, sizeof text, 0); //~ BUG! deadlock
    if (n >= 0)
        assert(n == 3 && memcmp(text, "HI!", 3) == 0);
    pthread_join(t, NULL);
    return 0;
}
