/* Random numbers are inputs: any value in the range the function promises, whatever the seed.
 *
 * rand and its siblings therefore cover every sequence a seed could give (and some that none gives). A program whose
 * correctness rests on the particular sequence of one seed may get a false alarm; the values are shown as inputs.
 * Those whose sequence is specified are in rand48.c.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>

/* All of them promise 0 to 2^31 - 1, which is also glibc's RAND_MAX. */
static int any(void)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= 0);
    return value;
}

WEAK int rand(void) { return any(); }
WEAK long random(void) { return any(); }

WEAK int rand_r(unsigned *seed)
{
    /* The seed is state of the caller, who may look at it. */
    *seed = (unsigned)__VERIFIER_nondet_int();
    return any();
}

WEAK void srand(unsigned seed) { (void)seed; }
WEAK void srandom(unsigned seed) { (void)seed; }
