/* Native versions of the input functions that fixtures call: random values from the seed in SEED, except that a variable
 * named in INPUTS (`x=5,y=-1`) gets that value. A failed assumption ends the run quietly.
 */
#define _GNU_SOURCE
#include "../programs/inputs.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t state;

static uint64_t random_bits(void)
{
    if (!state) {
        const char *seed = getenv("SEED");
        state = 0x9e3779b97f4a7c15u * (uint64_t)(seed ? atoll(seed) * 2 + 1 : 1);
        for (int i = 0; i < 10; i++)
            random_bits();
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Small numbers, letters, powers of two and limits are likelier than the rest, as programs look for them. */
static uint64_t any(void)
{
    uint64_t r = random_bits() >> 8;
    switch (r % 8) {
    case 0:
    case 1:
        return r / 8 % 8;
    case 2:
        return (uint64_t)0 - r / 8 % 4;
    case 3:
        return r / 8 % 128;
    case 4:
        return ((uint64_t)1 << r / 8 % 64) - r / 512 % 2;
    default:
        return random_bits();
    }
}

/* A forced value, if there is one. */
static int forced(const char *name, long long *value)
{
    const char *list = getenv("INPUTS");
    size_t n = strlen(name);
    while (list && *list) {
        if (strncmp(list, name, n) == 0 && list[n] == '=') {
            *value = atoll(list + n + 1);
            return 1;
        }
        list = strchr(list, ',');
        list += list != NULL;
    }
    return 0;
}

void klee_make_symbolic(void *address, size_t size, const char *name)
{
    long long value;
    if (forced(name, &value) && size <= sizeof value) {
        memcpy(address, &value, size);
        return;
    }
    size_t unit = size % 4 == 0 && random_bits() % 2 ? 4 : size <= 8 ? size : 1;
    for (size_t i = 0; i < size; i += unit) {
        uint64_t bits = any();
        memcpy((char *)address + i, &bits, size - i < unit ? size - i : unit);
    }
}

void klee_assume(uintptr_t condition)
{
    if (!condition)
        _exit(0);
}

void __VERIFIER_assume(int condition) { klee_assume(condition != 0); }

_Bool __VERIFIER_nondet_bool(void) { return any() & 1; }
char __VERIFIER_nondet_char(void) { return (char)any(); }
signed char __VERIFIER_nondet_schar(void) { return (signed char)any(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)any(); }
short __VERIFIER_nondet_short(void) { return (short)any(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)any(); }
int __VERIFIER_nondet_int(void) { return (int)any(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)any(); }
long __VERIFIER_nondet_long(void) { return (long)any(); }
unsigned long __VERIFIER_nondet_ulong(void) { return (unsigned long)any(); }
long long __VERIFIER_nondet_longlong(void) { return (long long)any(); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return any(); }

double __VERIFIER_nondet_double(void)
{
    double value;
    uint64_t bits = random_bits();
    memcpy(&value, &bits, sizeof value);
    return random_bits() % 2 ? (double)(int64_t)any() / 4 : value;
}

float __VERIFIER_nondet_float(void) { return (float)__VERIFIER_nondet_double(); }

/* SV-COMP's error function, for fixtures that only declare it. */
__attribute__((weak)) void reach_error(void) { abort(); }

/* Sections that are one step to other threads. The end of a thread ends its section, too: the mutex is robust. */
static pthread_mutex_t section;

__attribute__((constructor)) static void make_section(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&section, &attr);
}

void __VERIFIER_atomic_begin(void)
{
    if (pthread_mutex_lock(&section) == EOWNERDEAD)
        pthread_mutex_consistent(&section);
}

void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
