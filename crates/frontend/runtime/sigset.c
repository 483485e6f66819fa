/* Sets of signals: bits in the words of a sigset_t. */
#define _GNU_SOURCE
#include "runtime.h"

#include <signal.h>

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

/* What SIGRTMIN and SIGRTMAX are: the two before them are the threads library's. */
WEAK int __libc_current_sigrtmin(void) { return 34; }
WEAK int __libc_current_sigrtmax(void) { return 64; }

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

WEAK int sigisemptyset(const sigset_t *set)
{
    unsigned long any = 0;
    for (unsigned i = 0; i < 64 / (8 * sizeof(unsigned long)); i++)
        any |= ((const unsigned long *)set)[i];
    return any == 0;
}
