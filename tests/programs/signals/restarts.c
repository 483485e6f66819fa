// Which calls go on after a handler with SA_RESTART, and which end.
//@ verdict: safe
//@ rev read:
//@ clang[read]: -DREAD
//@ rev read_plain:
//@ clang[read_plain]: -DREAD -DFLAGS=0
//@ verdict[read_plain]: unsafe(assert)
//@ rev line:
//@ clang[line]: -DLINE
//@ rev line_plain:
//@ clang[line_plain]: -DLINE -DFLAGS=0
//@ verdict[line_plain]: unsafe(assert)
//@ rev event:
//@ clang[event]: -DEVENT
//@ rev event_plain:
//@ clang[event_plain]: -DEVENT -DFLAGS=0
//@ verdict[event_plain]: unsafe(assert)
//@ rev semaphore:
//@ clang[semaphore]: -DSEMAPHORE
//@ rev semaphore_plain:
//@ clang[semaphore_plain]: -DSEMAPHORE -DFLAGS=0
//@ verdict[semaphore_plain]: unsafe(assert)
// With a limit Linux ends it all the same.
//@ rev timed:
//@ clang[timed]: -DTIMED
//@ verdict[timed]: unsafe(assert)
//@ rev timed_careful:
//@ clang[timed_careful]: -DTIMED -DCAREFUL -DFLAGS=0
// These never fail so.
//@ rev condition:
//@ clang[condition]: -DCONDITION -DFLAGS=0
//@ rev mutex:
//@ clang[mutex]: -DMUTEX -DFLAGS=0
//@ rev join:
//@ clang[join]: -DJOIN -DFLAGS=0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#ifndef FLAGS
#define FLAGS SA_RESTART
#endif

static int ends[2], event;
static sem_t semaphore;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_changed;

static void on_usr1(int number) { (void)number; }

static void *other(void *arg)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
#if defined READ || defined LINE
    assert(write(ends[1], "a\n", 2) == 2);
#elif defined EVENT
    assert(eventfd_write(event, 1) == 0);
#elif defined SEMAPHORE || defined TIMED
    sem_post(&semaphore);
#elif defined CONDITION
    pthread_mutex_lock(&lock);
    is_changed = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#elif defined MUTEX
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_flags = FLAGS};
    action.sa_handler = on_usr1;
    sem_init(&semaphore, 0, 0);
    event = eventfd(0, 0);
    assert(pipe(ends) == 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int is_done;
#if defined READ
    char byte;
    is_done = read(ends[0], &byte, 1) == 1;
#elif defined LINE
    char line[4];
    is_done = fgets(line, sizeof line, fdopen(ends[0], "r")) != NULL;
#elif defined EVENT
    eventfd_t value;
    is_done = eventfd_read(event, &value) == 0;
#elif defined SEMAPHORE
    is_done = sem_wait(&semaphore) == 0;
#elif defined TIMED
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    is_done = sem_timedwait(&semaphore, &until) == 0 || errno == ETIMEDOUT;
#ifdef CAREFUL
    is_done |= errno == EINTR;
#endif
#elif defined CONDITION
    is_done = pthread_mutex_lock(&lock) == 0;
    struct timespec until = {2000000000, 0};
    while (is_done && !is_changed) {
        int error = pthread_cond_timedwait(&changed, &lock, &until);
        is_done = error == 0 || error == ETIMEDOUT;
    }
    pthread_mutex_unlock(&lock);
#elif defined MUTEX
    is_done = pthread_mutex_lock(&lock) == 0;
    pthread_mutex_unlock(&lock);
#else
    is_done = 1;
#endif
    assert(is_done || errno == EINTR);
    assert(is_done); //~ BUG! assert
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
