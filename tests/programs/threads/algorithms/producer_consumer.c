// A buffer of one place, a producer of two items and two consumers of one each, with condition variables.
// `hasty` tests its condition once before it goes on; `shared` uses one condition for both sides and wakes one waiter,
// who may be of the wrong side; `forgetful` never says that an item was taken.
//@ verdict: safe
//@ rev correct:
//@ rev hasty:
//@ clang[hasty]: -DHASTY
//@ verdict[hasty]: unsafe(assert)
//@ rev shared:
//@ clang[shared]: -DSHARED
//@ verdict[shared]: unsafe(deadlock)
//@ rev forgetful:
//@ clang[forgetful]: -DFORGETFUL
//@ verdict[forgetful]: unsafe(deadlock)
#include "../team.h"
#include <assert.h>

#ifdef HASTY
#define UNTIL(condition) if (!(condition))
#else
#define UNTIL(condition) while (!(condition))
#endif

#ifndef ITEMS
#define ITEMS 2
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
#ifdef SHARED
#define emptied filled
#define PRODUCERS 2
#else
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
#define PRODUCERS 1
#endif
static int n_items;

static void put(void)
{
    pthread_mutex_lock(&mutex);
    UNTIL(n_items == 0)
        pthread_cond_wait(&emptied, &mutex);
    n_items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
}

static void *produce(void *unused)
{
    for (int i = 0; i < ITEMS / PRODUCERS; i++)
        put();
    return unused;
}

static void *consume(void *unused)
{
    pthread_mutex_lock(&mutex);
    UNTIL(n_items == 1)
        pthread_cond_wait(&filled, &mutex);
    n_items--;
    assert(n_items == 0);
#ifndef FORGETFUL
    pthread_cond_signal(&emptied);
#endif
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumers[ITEMS];
    start_team(producers, PRODUCERS, produce);
    start_team(consumers, ITEMS, consume);
    join_team(producers, PRODUCERS);
    join_team(consumers, ITEMS);
    return 0;
}
