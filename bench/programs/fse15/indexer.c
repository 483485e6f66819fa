// Threads put words into one hash table; a slot is claimed by a compare-and-swap under the slot's lock.
// Verdict: safe.
// Algorithm: the Indexer of Flanagan and Godefroid (POPL 2005), in SV-COMP's pthread category with locks.
// Row indexertrue: two threads with seven words each that meet in pairs.
// Exercises: locks whose address depends on data, independence of slots, probing.
#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef WORDS
#define WORDS 7
#endif
#ifndef STRIDE
#define STRIDE 2
#endif
#ifndef SIZE
#define SIZE 16
#endif

static int table[SIZE];
static pthread_mutex_t locks[SIZE];

static int claim(int slot, int word)
{
    int is_free;
    pthread_mutex_lock(&locks[slot]);
    is_free = table[slot] == 0;
    if (is_free)
        table[slot] = word;
    pthread_mutex_unlock(&locks[slot]);
    return is_free;
}

static void *insert_words(void *argument)
{
    int number = (int)(intptr_t)argument;
    for (int i = 0; i < WORDS; i++) {
        int word = i * THREADS + number + 1;
        int n_tries = 0;
        int slot = i * STRIDE % SIZE; /* Words of different threads meet. */
        while (!claim(slot, word)) {
            slot = (slot + 1) % SIZE;
            n_tries++;
            assert(n_tries < SIZE);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t team[THREADS];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&locks[i], 0);
    start(team, THREADS, 0, insert_words);
    join(team, THREADS);
    return 0;
}
