// Two threads take two mutexes in opposite order.
//@ verdict: unsafe(deadlock)
//@ rev opposite:
//@ rev same:
//@ clang[same]: -DSAME
//@ verdict[same]: safe
#include "../team.h"

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *forwards(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

static void *backwards(void *unused)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(void)
{
#ifdef SAME
    (void)backwards;
    run_pair(forwards, forwards);
#else
    run_pair(forwards, backwards);
#endif
    return 0;
}
