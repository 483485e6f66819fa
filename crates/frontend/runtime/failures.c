/* Calls about files that fail for a reason that is not the program's: a full disk, a broken one, a signal. See world.h.
 *
 * An error is listed where a call would succeed, so what the world itself refuses (no such name, not writable) comes
 * first. That a call is interrupted takes a signal, of which one comes: a program that tries again comes to an end.
 */
#include "world.h"

static int was_interrupted;

WEAK int __selvedge_io_failure(int n, const int *errors)
{
    /* EINTR stands last. */
    int may_be_interrupted = n > 1 && errors[n - 1] == EINTR;
    int which = __selvedge_may_fail("io", n - (may_be_interrupted && was_interrupted));
    if (which == 0)
        return 0;
    if (errors[which - 1] == EINTR) {
        __selvedge_assumed("world.signals-bound");
        was_interrupted = 1;
    }
    return -errors[which - 1];
}
