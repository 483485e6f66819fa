// Handlers that run while a call has a mask of its own return to the mask from before the call, as on Linux: what that
// blocks stays pending. What is pending together is handled together, the last one first.
//@ verdict: safe
//@ flags: --signals 0
//@ rev twice:
//@ clang[twice]: -DTWICE
//@ verdict[twice]: unsafe(assert)
//@ rev suspended:
//@ clang[suspended]: -DSUSPEND
//@ rev nested:
//@ clang[nested]: -DNESTED
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>

static int seen;

static void handler(int signal) { seen = seen * 100 + signal; }

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
#ifndef NESTED
    sigfillset(&action.sa_mask);
#endif
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGUSR2, &action, 0);
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    raise(SIGUSR2);
    raise(SIGUSR1);
#ifdef SUSPEND
    int result = sigsuspend(&before);
#else
    int result = ppoll(0, 0, 0, &before);
#endif
    assert(result == -1 && errno == EINTR);
#ifdef NESTED
    assert(seen == SIGUSR2 * 100 + SIGUSR1);
#elif defined TWICE
    assert(seen > 100);
#else
    sigset_t left;
    sigpending(&left);
    assert(seen == SIGUSR1 && sigismember(&left, SIGUSR2));
#endif
    return 0;
}
