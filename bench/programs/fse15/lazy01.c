// Three threads share one number under one lock; the third one fails if it comes last.
// Verdict: unsafe; safe with -DSAFE.
// Algorithm: lazy01 of SV-COMP's pthread category. Row lazy01false.
// Exercises: orders of critical sections of which only the sum matters.
#include "threads.h"

#ifdef SAFE
#define LIMIT 4
#else
#define LIMIT 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *unused)
{
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *add_two(void *unused)
{
    pthread_mutex_lock(&lock);
    data += 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *look(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(data < LIMIT);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t team[3];
    start(&team[0], 1, 0, add_one);
    start(&team[1], 1, 0, add_two);
    start(&team[2], 1, 0, look);
    join(team, 3);
    return 0;
}
