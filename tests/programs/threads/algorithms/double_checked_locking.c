// An object made by the first who needs it: the pointer is looked at without the lock first. The broken one publishes the
// object before it is filled in.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 3
#endif

struct object {
    atomic_int value;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct object *_Atomic instance;
static int n_made;

static struct object *get(void)
{
    struct object *object = instance;
    if (object == NULL) {
        pthread_mutex_lock(&mutex);
        object = instance;
        if (object == NULL) {
            object = malloc(sizeof *object);
            n_made++;
#ifdef BROKEN
            instance = object;
            object->value = 42;
#else
            object->value = 42;
            instance = object;
#endif
        }
        pthread_mutex_unlock(&mutex);
    }
    return object;
}

static void *use(void *unused)
{
    assert(get()->value == 42); //~ BUG!
    return unused;
}

int main(void)
{
    run_team(THREADS, use);
    assert(n_made == 1);
    free(instance);
    return 0;
}
