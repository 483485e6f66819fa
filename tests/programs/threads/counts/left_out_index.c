// A stack whose content does not matter: how high it is does. Where an element is put is no event of the slice, so that
// states of different heights are recognised where the same can happen.
//@ verdict: safe
//@ rev dpor: --reduce dpor --check assert
//@ executions[dpor]: total=70
//@ rev ag: --reduce ag --check assert
//@ executions[ag]: total=27
//@ rev too_small: --reduce ag --check assert
//@ clang[too_small]: -DROOM=3
//@ verdict[too_small]: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define N 4
#ifndef ROOM
#define ROOM N
#endif

static int stack[N], height;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused)
{
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        assert(height < ROOM); //~ BUG!
        stack[height++] = i;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *empty(void *unused)
{
    int last = 0;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (height > 0)
            last = stack[--height];
        assert(height >= 0);
        pthread_mutex_unlock(&lock);
    }
    printf("%d\n", last);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, fill, 0);
    pthread_create(&threads[1], 0, empty, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
