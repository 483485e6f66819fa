// Threads add to and remove from one map of nbds; afterwards it must hold what is left.
// -DMAP=MAP_IMPL_LL (list), MAP_IMPL_SL (skip list) or MAP_IMPL_HT (hash table); -DTHREADS=n.
#include <pthread.h>
#include <stdio.h>

#include "common.h"
#include "hashtable.h"
#include "list.h"
#include "map.h"
#include "rcu.h"
#include "runtime.h"
#include "skiplist.h"

#ifndef MAP
#define MAP MAP_IMPL_LL
#endif
#ifndef THREADS
#define THREADS 2
#endif

static map_t *map;
static int account[THREADS];

static void *work(void *argument)
{
    int me = (int)(size_t)argument;
    if (me % 2 == 0)
        account[me] -= map_remove(map, 1) != DOES_NOT_EXIST;
    else
        account[me] += map_add(map, 1, 10 + me) == DOES_NOT_EXIST;
    rcu_update();
    return NULL;
}

#ifdef SEEDED
/* The skip list counts the trailing zeros of this number, which must not be 0. */
int rand_r(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)(*seed >> 16 & 0x3fff) | 0x4000;
}
#endif

int main(void)
{
    pthread_t threads[THREADS];
    map = map_alloc(&MAP, NULL);
    account[0] += map_add(map, 1, 7) == DOES_NOT_EXIST;
    map_add(map, 3, 8);
    for (int i = 0; i < THREADS; i++)
        nbd_thread_create(&threads[i], i, work, (void *)(size_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int n = 0;
    for (int i = 0; i < THREADS; i++)
        n += account[i];
    assert(n == 0 || n == 1);
    assert((map_get(map, 1) != DOES_NOT_EXIST) == (n == 1));
    assert(map_count(map) == 1 + n);
    return 0;
}
