// A thread leaves a pointer to its local variable behind; another uses it after the thread has ended.
//@ verdict: unsafe(memory)
//@ rev after:
//@ rev before:
//@ clang[before]: -DWAIT
//@ verdict[before]: safe
#include "../team.h"
#include <semaphore.h>
#include <stddef.h>

static int *left_behind;
static sem_t is_used;

static void *leave(void *unused)
{
    int local = 42;
    left_behind = &local;
#ifdef WAIT
    sem_wait(&is_used);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&is_used, 0, 0);
    pthread_create(&thread, 0, leave, 0);
#ifndef WAIT
    pthread_join(thread, NULL);
    return *left_behind != 42; //~ BUG!
#else
    sem_post(&is_used);
    pthread_join(thread, NULL);
    return 0;
#endif
}
