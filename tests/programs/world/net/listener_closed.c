// Those whom nobody has accepted are cut off when the listening socket is closed; a full queue makes the next one wait.
//@ verdict: safe
//@ flags: --peer /dev/null
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0server"};
static int server;

static void *client(void *unused)
{
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&name, sizeof name) < 0) {
        assert(errno == ECONNREFUSED); /* It was closed before there was room. */
        return unused;
    }
    char c;
    ssize_t n = read(s, &c, 1);
    assert((n == -1 && errno == ECONNRESET) || n == 0); /* Somebody outside may have taken the name, and says nothing. */
    return unused;
}

int main(void)
{
    server = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(server, (struct sockaddr *)&name, sizeof name);
    listen(server, 0);
    int first = socket(AF_UNIX, SOCK_STREAM, 0), second = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert(connect(first, (struct sockaddr *)&name, sizeof name) == 0);
    assert(connect(second, (struct sockaddr *)&name, sizeof name) == -1 && errno == EAGAIN);
    pthread_t t;
    pthread_create(&t, NULL, client, NULL);
    close(accept(server, NULL, NULL));
    char c;
    assert(read(first, &c, 1) == 0);
    close(server);
    pthread_join(t, NULL);
    return 0;
}
