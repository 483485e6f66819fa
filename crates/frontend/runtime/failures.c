/* Calls about files that fail for a reason that is not the program's: a full disk, a broken one, a signal. See world.h.
 *
 * An error is listed where a call would succeed, so what the world itself refuses (no such name, not writable) comes
 * first. That a call is interrupted takes a signal, of which so many come as the user says, or one: a program that tries
 * again comes to an end.
 */
#include "world.h"

/* Provided by the engine: how many signals the user lets come, or -1. */
int __selvedge_signals_given(void);

/* Provided by the engine: the call under way fails so. */
void __selvedge_failed(int error);

static int n_interrupted;

WEAK int __selvedge_io_failure(int n, const int *errors)
{
    /* EINTR stands last. */
    int given = __selvedge_signals_given();
    int is_last = n > 1 && errors[n - 1] == EINTR && n_interrupted >= (given < 0 ? 1 : given);
    int which = __selvedge_may_fail("io", n - is_last);
    if (which == 0)
        return 0;
    if (errors[which - 1] == EINTR) {
        if (given < 0)
            __selvedge_assumed("world.signals-bound");
        n_interrupted++;
    }
    __selvedge_failed(errors[which - 1]);
    return -errors[which - 1];
}
