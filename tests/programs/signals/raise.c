// What a program sends to itself is handled before the call returns; while it is blocked, after that.
//@ verdict: safe
//@ flags: --signals 0
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static int order, first, second, code;

static void on_usr1(int number)
{
    assert(number == SIGUSR1);
    first = ++order;
}

static void on_usr2(int number, siginfo_t *info, void *context)
{
    assert(number == SIGUSR2 && info->si_signo == SIGUSR2 && context);
    code = info->si_code;
    second = ++order;
}

int main(void)
{
    assert(signal(SIGUSR1, on_usr1) == SIG_DFL);
    struct sigaction action = {.sa_flags = SA_SIGINFO}, old;
    action.sa_sigaction = on_usr2;
    assert(sigaction(SIGUSR2, &action, NULL) == 0);
    assert(sigaction(SIGUSR2, NULL, &old) == 0 && old.sa_sigaction == on_usr2 && (old.sa_flags & SA_SIGINFO));
    assert(raise(SIGUSR1) == 0);
    assert(first == 1);

    sigset_t set, waiting;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    assert(raise(SIGUSR1) == 0 && raise(SIGUSR1) == 0);
    assert(kill(getpid(), SIGUSR2) == 0);
    assert(order == 1);
    assert(sigpending(&waiting) == 0);
    assert(sigismember(&waiting, SIGUSR1) && sigismember(&waiting, SIGUSR2) && !sigismember(&waiting, SIGINT));
    assert(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
    assert(order == 3 && code == SI_USER);
    sigpending(&waiting);
    assert(!sigismember(&waiting, SIGUSR1));

    assert(raise(SIGCHLD) == 0 && raise(SIGURG) == 0);
    signal(SIGTERM, SIG_IGN);
    assert(raise(SIGTERM) == 0);
    errno = 0;
    assert(raise(-1) == -1 && errno == EINVAL);
    errno = 0;
    assert(kill(getpid(), 65) == -1 && errno == EINVAL);
    errno = 0;
    assert(signal(SIGKILL, on_usr1) == SIG_ERR && errno == EINVAL);
    errno = 0;
    assert(sigaction(SIGSTOP, &action, NULL) == -1 && errno == EINVAL);
    errno = 0;
    assert(sigprocmask(42, &set, NULL) == -1 && errno == EINVAL);
    assert(kill(getpid(), 0) == 0);
    return 0;
}
