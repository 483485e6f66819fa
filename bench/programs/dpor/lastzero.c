// One thread looks for the last zero of an array while N others each set one element from its neighbour.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 15
#endif

static atomic_int array[N + 1];

static void *search(void *unused) {
    int last = N;
    while (array[last] != 0)
        last--;
    return unused;
}

static void *set(void *argument) {
    int i = (int)(intptr_t)argument;
    array[i] = array[i - 1] + 1;
    return 0;
}

int main(void) {
    pthread_t searcher, setters[N];
    pthread_create(&searcher, 0, search, 0);
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&setters[i], 0, set, (void *)(i + 1));
    pthread_join(searcher, 0);
    for (int i = 0; i < N; i++)
        pthread_join(setters[i], 0);
    return 0;
}
