// N threads read what one thread writes: each reader sees the old value or the new one, and the order of the readers does
// not matter, so there are 2^N executions.
//@ verdict: safe
//@ flags: --reduce dpor
//@ rev n3:
//@ clang[n3]: -DN=3
//@ executions[n3]: total=8 full=8 blocked=0
//@ rev n13:
//@ clang[n13]: -DN=13
//@ executions[n13]: total=8192 full=8192 blocked=0
#include "../team.h"
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int shared;

static void *write_it(void *unused)
{
    shared = 42;
    return unused;
}

static void *read_it(void *unused)
{
    (void)shared;
    return unused;
}

int main(void)
{
    pthread_t writer, readers[N];
    pthread_create(&writer, 0, write_it, 0);
    start_team(readers, N, read_it);
    pthread_join(writer, 0);
    join_team(readers, N);
    return 0;
}
