// Seeded bug: a queue that looks whether it is empty before it takes the lock it waits with.
// Verdict: unsafe (deadlock): the element and its signal come between the look and the wait.
#include "../common.h"
#include <pthread.h>

#define ITEMS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_filled = PTHREAD_COND_INITIALIZER;
static atomic_int n_items;

static void put(void)
{
    n_items++;
    pthread_cond_signal(&is_filled);
}

static void take(void)
{
    while (n_items == 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&is_filled, &lock);
        pthread_mutex_unlock(&lock);
    }
    n_items--;
}

static void *produce(void *unused)
{
    for (int i = 0; i < ITEMS; i++)
        put();
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < ITEMS; i++)
        take();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, produce, 0);
    pthread_create(&threads[1], 0, consume, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(n_items == 0);
    return 0;
}
