// A hundred threads that do not meet: one execution, at once.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=1 full=1 blocked=0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define N 100

static int squares[N];

static void *square(void *argument)
{
    intptr_t i = (intptr_t)argument;
    squares[i] = (int)(i * i);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], 0, square, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < N; i++)
        assert(squares[i] == i * i);
    return 0;
}
