// No input at all: how fast plain instructions are executed. A sieve and a linear congruential generator.
#include <assert.h>

#ifndef N
#define N 200000
#endif

static unsigned char composite[N];

int main(void) {
    unsigned primes = 0, x = 12345;
    for (unsigned i = 2; i < N; i++) {
        if (composite[i])
            continue;
        primes++;
        for (unsigned j = 2 * i; j < N; j += i)
            composite[j] = 1;
    }
    for (unsigned i = 0; i < 2 * N; i++)
        x = x * 1664525u + 1013904223u;
#if N == 200000
    assert(primes == 17984);
#endif
    return x == 0;
}
