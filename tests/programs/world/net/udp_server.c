// A server for datagrams with a thread that works: a message of the right length from outside breaks it; to wait for more is no deadlock.
//@ rev broken:
//@ verdict[broken]: unsafe(assert)
//@ rev checked:
//@ clang[checked]: -DCHECKED
//@ verdict[checked]: safe
//@ rev two: --sym-peers 2,1
//@ clang[two]: -DCHECKED
//@ verdict[two]: safe
//@ rev limit:
//@ clang[limit]: -DCHECKED -DLIMIT
//@ verdict[limit]: safe
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned n_served;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    n_served++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    int s = socket(AF_INET6, SOCK_DGRAM, 0);
    struct sockaddr_in6 name = {.sin6_family = AF_INET6, .sin6_port = htons(7000)}, from;
    if (bind(s, (struct sockaddr *)&name, sizeof name) < 0)
        return 1;
#ifdef LIMIT
    struct timeval second = {1, 0};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
#endif
    for (int i = 0; i < 3; i++) {
        unsigned char message[4];
        socklen_t size = sizeof from;
        ssize_t n = recvfrom(s, message, sizeof message, 0, (struct sockaddr *)&from, &size);
        if (n < 0) {
            assert(errno == EAGAIN);
            continue;
        }
        assert(size == sizeof from);
#ifdef CHECKED
        if (n != 2)
            continue;
#endif
        assert(n != 3 || message[2] != 7); //~ BUG! assert
        pthread_t t;
        pthread_create(&t, NULL, work, NULL);
        sendto(s, message, (size_t)n, 0, (struct sockaddr *)&from, size);
        pthread_join(t, NULL);
    }
    return 0;
}
