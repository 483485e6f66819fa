// A limit for receiving: a call that would wait may fail, a client may be too slow, and the clock shows it.
//@ verdict: unsafe(assert)
//@ rev inside:
//@ clang[inside]: -DINSIDE
//@ rev outside:
//@ clang[outside]: -DOUTSIDE
//@ rev none:
//@ verdict[none]: safe
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static void limit(int s)
{
    struct timeval time = {.tv_sec = 3};
    assert(setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
}

static void *write_later(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

static void never_too_late(ssize_t got)
{
    assert(got >= 0); //~ BUG! assert
}

int main(void)
{
    char c;
    pthread_t writer;
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    pthread_create(&writer, NULL, write_later, NULL);
#ifdef INSIDE
    limit(ends[0]);
#endif
    time_t begin = time(NULL);
    ssize_t got = read(ends[0], &c, 1);
    if (got < 0)
        assert(errno == EAGAIN && time(NULL) - begin >= 2);
    never_too_late(got);
    pthread_join(writer, NULL);

    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(8080)};
    if (bind(server, (struct sockaddr *)&name, sizeof name) < 0 || listen(server, 5) < 0)
        return 1;
    int client = accept(server, NULL, NULL);
#ifdef OUTSIDE
    limit(client);
#endif
    begin = time(NULL);
    got = recv(client, &c, 1, 0);
    if (got < 0)
        assert(errno == EAGAIN && time(NULL) - begin >= 2);
    never_too_late(got);
    return 0;
}
