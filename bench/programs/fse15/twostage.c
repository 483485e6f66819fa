// WRITERS threads write two related numbers, each under its own lock; READERS threads read both.
// Verdict: unsafe (a reader can come between the two stages); safe with -DSAFE, which holds one lock over both.
// Algorithm: twostage_3 of SV-COMP's pthread category. Row twostage3false: two writers, one reader.
// Exercises: two locks in sequence, early return.
#include "threads.h"

#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 1
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

#ifdef SAFE
static pthread_mutex_t both = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN pthread_mutex_lock(&both)
#define END pthread_mutex_unlock(&both)
#else
#define BEGIN (void)0
#define END (void)0
#endif

static void *write_both(void *unused)
{
    BEGIN;
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
    END;
    return unused;
}

static void *read_both(void *unused)
{
    BEGIN;
    pthread_mutex_lock(&first_lock);
    int one = first;
    pthread_mutex_unlock(&first_lock);
    if (one != 0) {
        pthread_mutex_lock(&second_lock);
        int two = second;
        pthread_mutex_unlock(&second_lock);
        assert(two == one + 1);
    }
    END;
    return unused;
}

int main(void)
{
    pthread_t writers[WRITERS], readers[READERS];
    start(writers, WRITERS, 0, write_both);
    start(readers, READERS, 0, read_both);
    join(writers, WRITERS);
    join(readers, READERS);
    return 0;
}
