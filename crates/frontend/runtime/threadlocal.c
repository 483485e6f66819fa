/* Variables of C++ that each thread has, `thread_local`, with destructors: they run when the thread ends, the last one
 * that was initialised first; for a thread that calls `exit`, before everything else.
 *
 * What runs them at the end of a thread is the destructor of a thread-specific value. Where a program has such values of
 * its own, the C library has the order of the two sorts fixed, variables first; here it is that of the keys.
 */
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>

struct destructor {
    struct destructor *next;
    void (*run)(void *);
    void *object;
};

static _Thread_local struct destructor *last;
static pthread_key_t key;
static pthread_once_t has_key = PTHREAD_ONCE_INIT;

static void run_all(void)
{
    while (last) {
        struct destructor own = *last;
        free(last);
        last = own.next;
        own.run(own.object);
    }
}

static void at_end(void *value)
{
    (void)value;
    run_all();
}

static void make_key(void)
{
    if (pthread_key_create(&key, at_end) != 0)
        __selvedge_unsupported("no key for the destructors of a thread");
    __selvedge_at_thread_end(run_all);
}

WEAK int __cxa_thread_atexit(void (*run)(void *), void *object, void *library)
{
    (void)library;
    pthread_once(&has_key, make_key);
    struct destructor *new = malloc(sizeof *new);
    if (!new)
        __selvedge_unsupported("no memory for the destructor of a variable");
    *new = (struct destructor){last, run, object};
    last = new;
    pthread_setspecific(key, new);
    return 0;
}
