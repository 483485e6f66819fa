/* Signals never arrive by themselves, so installing a handler has no effect. What sends one (raise, kill, alarm) is not
 * modelled and makes the verdict unknown when it is reached.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <signal.h>

/* Handlers are remembered, as the next call returns the one before. */
static sighandler_t handlers[NSIG];

WEAK sighandler_t signal(int number, sighandler_t handler)
{
    if (number <= 0 || number >= NSIG || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    sighandler_t before = handlers[number];
    handlers[number] = handler;
    return before;
}

WEAK int sigemptyset(sigset_t *set)
{
    *set = (sigset_t){0};
    return 0;
}

WEAK int sigfillset(sigset_t *set)
{
    __builtin_memset(set, 0xff, sizeof *set);
    return 0;
}

/* The bit of a signal; NULL if there is no such signal. */
static unsigned long *word_of(const sigset_t *set, int number, unsigned long *bit)
{
    if (number <= 0 || number >= NSIG) {
        errno = EINVAL;
        return NULL;
    }
    unsigned index = (unsigned)number - 1, width = 8 * sizeof(unsigned long);
    *bit = 1ul << index % width;
    return (unsigned long *)set + index / width;
}

WEAK int sigaddset(sigset_t *set, int number)
{
    unsigned long bit, *word = word_of(set, number, &bit);
    if (!word)
        return -1;
    *word |= bit;
    return 0;
}

WEAK int sigdelset(sigset_t *set, int number)
{
    unsigned long bit, *word = word_of(set, number, &bit);
    if (!word)
        return -1;
    *word &= ~bit;
    return 0;
}

WEAK int sigismember(const sigset_t *set, int number)
{
    unsigned long bit, *word = word_of(set, number, &bit);
    return word ? (*word & bit) != 0 : -1;
}

/* To take back an alarm; nobody has set one. */
WEAK unsigned alarm(unsigned seconds)
{
    if (seconds > 0)
        __selvedge_unsupported("alarm");
    return 0;
}
