// Two threads change two numbers in critical sections of one lock; the changes commute.
// Verdict: safe; unsafe with -DUNSAFE.
// Algorithm: stateful01 of SV-COMP's pthread category. Row stateful01true.
// Exercises: critical sections whose order does not matter for the result.
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first = 10, second = 10;

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    first++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    second++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *move(void *unused)
{
    pthread_mutex_lock(&lock);
    first += 5;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    second -= 6;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    run_pair(count, move);
#ifdef UNSAFE
    assert(first != 16 || second != 5);
#else
    assert(first == 16 && second == 5);
#endif
    return 0;
}
