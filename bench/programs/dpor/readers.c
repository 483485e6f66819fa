// N threads read what one thread writes: 2^N executions.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 17
#endif

static atomic_int shared;

static void *write_it(void *unused) {
    shared = 42;
    return unused;
}

static void *read_it(void *unused) {
    (void)shared;
    return unused;
}

int main(void) {
    pthread_t writer, readers[N];
    pthread_create(&writer, 0, write_it, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], 0, read_it, 0);
    pthread_join(writer, 0);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], 0);
    return 0;
}
