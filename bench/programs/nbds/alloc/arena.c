/* Arenas: heaps with their bins, so that threads which use different ones never meet. */
#include "internal.h"

Arena arenas[POOL_ARENAS];

void pool_init(void)
{
    for (int arena = 0; arena < POOL_ARENAS; arena++) {
        pthread_mutex_init(&arenas[arena].heap.lock, NULL);
        for (int class = 0; class < N_CLASSES; class ++)
            pthread_mutex_init(&arenas[arena].bins[class].lock, NULL);
    }
    cache_init();
}
