/* Digits of a number in some base, read one after the other: shared by strtol's and scanf's readers. */
#ifndef SELVEDGE_DIGITS_H
#define SELVEDGE_DIGITS_H

#include "runtime.h"

struct digits {
    unsigned long long magnitude; /* saturates at ULLONG_MAX */
    unsigned base;
    unsigned count;
    unsigned safe; /* so many digits cannot overflow, whatever they are */
    int overflow;
};

static inline void digits_start(struct digits *d, unsigned base)
{
    unsigned bits = 1;
    while (1u << bits < base)
        bits++;
    d->magnitude = 0;
    d->base = base;
    d->count = 0;
    d->safe = 64 / bits;
    d->overflow = 0;
}

/* The value of a digit, at least `base` if `c` is none. Without a branch, so that a symbolic byte forks only once, in
 * the caller's test against the base. */
static inline unsigned digit_value(int c, unsigned base)
{
    unsigned digit = (unsigned)c - '0';
    if (base <= 10)
        return digit;
    unsigned letter = ((unsigned)c | 32) - 'a';
    unsigned is_digit = -(unsigned)(digit < 10), is_letter = -(unsigned)(letter < 26);
    return (is_digit & digit) | (is_letter & (letter + 10)) | (~(is_digit | is_letter) & UINT_MAX);
}

/* Appends a digit, which must be below the base. The test for overflow depends on the digits, so it is left out as long
 * as their number alone rules overflow out. */
static inline void digits_add(struct digits *d, unsigned digit)
{
    if (d->count++ >= d->safe) {
        unsigned long long cutoff = ULLONG_MAX / d->base;
        if (d->overflow || d->magnitude > cutoff || (d->magnitude == cutoff && digit > ULLONG_MAX % d->base)) {
            d->overflow = 1;
            d->magnitude = ULLONG_MAX;
            return;
        }
    }
    d->magnitude = d->magnitude * d->base + digit;
}

#endif
