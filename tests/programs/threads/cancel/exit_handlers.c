// pthread_exit runs cleanup handlers too, and popping one runs it only if asked to.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static int trace[4], n_traced;

static void note(void *argument)
{
    trace[n_traced++] = number(argument);
}

static void leave(void)
{
    pthread_cleanup_push(note, (void *)3);
    pthread_exit((void *)42);
    pthread_cleanup_pop(0);
}

static void *work(void *unused)
{
    pthread_cleanup_push(note, (void *)9);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, (void *)1);
    pthread_cleanup_pop(1);
    pthread_cleanup_push(note, (void *)2);
    leave();
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    assert(result == (void *)42);
    assert(n_traced == 3 && trace[0] == 1 && trace[1] == 3 && trace[2] == 2);
    return 0;
}
