// Two threads add each other's number to their own, N times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 7
#endif
#define LIMIT 987 /* The sixteenth Fibonacci number: what seven rounds can reach. */

static atomic_int i = 1, j = 1;

static void *add_to_i(void *unused) {
    for (int k = 0; k < N; k++)
        i = i + j;
    return unused;
}

static void *add_to_j(void *unused) {
    for (int k = 0; k < N; k++)
        j = j + i;
    return unused;
}

int main(void) {
    pthread_t left, right;
    pthread_create(&left, 0, add_to_i, 0);
    pthread_create(&right, 0, add_to_j, 0);
    pthread_join(left, 0);
    pthread_join(right, 0);
    assert(i <= LIMIT && j <= LIMIT);
    return 0;
}
