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
