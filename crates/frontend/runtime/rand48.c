/* The family of drand48, whose numbers POSIX specifies one by one: X' = aX + c modulo 2^48.
 *
 * After `srand48`, `seed48` or `lcong48` they are those, and those of the caller's own state always are.
 * Before, POSIX leaves the state open: then each number is an input, as in random.c.
 * The state is one for all threads and not guarded, as POSIX allows.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>

#define MASK 0xffffffffffffu
#define FACTOR 0x5deece66du
#define TERM 0xbu

static int is_seeded;
static uint64_t state, factor = FACTOR;
static unsigned short term = TERM;

static uint64_t pack(const unsigned short *x) { return x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32; }

static void unpack(unsigned short *to, uint64_t x)
{
    to[0] = (unsigned short)x;
    to[1] = (unsigned short)(x >> 16);
    to[2] = (unsigned short)(x >> 32);
}

static uint64_t step(uint64_t x) { return (x * factor + term) & MASK; }

static uint64_t next(void)
{
    return state = is_seeded ? step(state) : (uint64_t)__VERIFIER_nondet_longlong() & MASK;
}

static uint64_t next_of(unsigned short *x)
{
    uint64_t value = step(pack(x));
    unpack(x, value);
    return value;
}

/* What the functions make of a state; the scaling is exact. */
static double fraction(uint64_t x) { return (double)x * 0x1p-48; }
static long positive(uint64_t x) { return (long)(x >> 17); }
static long any_sign(uint64_t x) { return (int32_t)(x >> 16); }

WEAK double drand48(void) { return fraction(next()); }
WEAK long lrand48(void) { return positive(next()); }
WEAK long mrand48(void) { return any_sign(next()); }

WEAK double erand48(unsigned short x[3]) { return fraction(next_of(x)); }
WEAK long nrand48(unsigned short x[3]) { return positive(next_of(x)); }
WEAK long jrand48(unsigned short x[3]) { return any_sign(next_of(x)); }

static void seed_with(uint64_t x, uint64_t a, unsigned short c)
{
    state = x;
    factor = a;
    term = c;
    is_seeded = 1;
}

WEAK void srand48(long seed) { seed_with((uint64_t)(uint32_t)seed << 16 | 0x330e, FACTOR, TERM); }

WEAK unsigned short *seed48(unsigned short x[3])
{
    static unsigned short before[3];
    uint64_t seed = pack(x); /* which may be `before` */
    unpack(before, is_seeded ? state : (uint64_t)__VERIFIER_nondet_longlong());
    seed_with(seed, FACTOR, TERM);
    return before;
}

WEAK void lcong48(unsigned short parameters[7])
{
    seed_with(pack(parameters), pack(parameters + 3), parameters[6]);
}
