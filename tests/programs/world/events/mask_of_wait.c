// The usual way to wait for a signal without missing it: blocked outside of the wait, open in it. Another thread sends it
// at any time. With a limit, the handler has run exactly if the call was interrupted.
//@ verdict: safe
//@ flags: --signals 0
//@ rev select:
//@ clang[select]: -DSELECT
//@ rev epoll:
//@ clang[epoll]: -DEPOLL
//@ rev limit:
//@ clang[limit]: -DLIMIT
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

static volatile sig_atomic_t has_come;
static pthread_t waiter;

static void handler(int signal) { has_come = 1; }

static void *sender(void *unused)
{
    pthread_kill(waiter, SIGUSR1);
    return 0;
}

int main(void)
{
    waiter = pthread_self();
    signal(SIGUSR1, handler);
    sigset_t one, before;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, &before);
    pthread_t thread;
    pthread_create(&thread, 0, sender, 0);
#ifdef LIMIT
    struct timespec limit = {0, 200000};
    int result = ppoll(0, 0, &limit, &before);
    assert(has_come ? result == -1 && errno == EINTR : result == 0);
#else
#ifdef EPOLL
    int set = epoll_create1(0);
    struct epoll_event event;
#endif
    while (!has_come) {
#if defined SELECT
        int result = pselect(0, 0, 0, 0, 0, &before);
#elif defined EPOLL
        int result = epoll_pwait(set, &event, 1, -1, &before);
#else
        int result = ppoll(0, 0, 0, &before);
#endif
        assert(result == -1 && errno == EINTR);
    }
#endif
    pthread_join(thread, 0);
    return 0;
}
