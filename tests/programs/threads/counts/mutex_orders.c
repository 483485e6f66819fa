// N threads increment a counter under one mutex: N! orders, and no lost update in any.
//@ verdict: safe
//@ flags: --reduce dpor
//@ rev n2:
//@ clang[n2]: -DN=2
//@ executions[n2]: total=2 full=2 blocked=0
//@ rev n3:
//@ clang[n3]: -DN=3
//@ executions[n3]: total=6 full=6 blocked=0
//@ rev n4:
//@ clang[n4]: -DN=4
//@ executions[n4]: total=24 full=24 blocked=0
//@ rev n5:
//@ clang[n5]: -DN=5
//@ executions[n5]: total=120 full=120 blocked=0
#include "../team.h"
#include <assert.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *increment(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    run_team(N, increment);
    assert(counter == N);
    return 0;
}
