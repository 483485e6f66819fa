/* The end of the program: exit and what was registered to run before it.
 *
 * `exit` is also what the engine calls with the result of `main`. Handlers of atexit, on_exit and C++ destructors share
 * one stack, last registered first run; a handler may register others and may call exit itself, which then goes on with
 * the rest, as in glibc.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct handler {
    struct handler *next;
    enum { PLAIN, WITH_ARGUMENT, WITH_CODE } kind;
    union {
        void (*plain)(void);
        void (*with_argument)(void *);
        void (*with_code)(int, void *);
    } call;
    void *argument;
};

static struct handler *at_exit_handlers, *at_quick_exit_handlers;
/* A pthread_spinlock_t: this file is part of every program, and so would be that type. */
static int lock;

/* Runs first, if anything is registered at all: most programs have nothing to do at the end. */
static void (*destroy_variables)(void);

static int add(struct handler **list, struct handler handler)
{
    struct handler *h = malloc(sizeof *h);
    if (!h)
        return -1;
    *h = handler;
    pthread_spin_lock((pthread_spinlock_t *)&lock);
    h->next = *list;
    __atomic_store_n(list, h, __ATOMIC_RELEASE);
    pthread_spin_unlock((pthread_spinlock_t *)&lock);
    return 0;
}

static struct handler *first_of(struct handler **list) { return __atomic_load_n(list, __ATOMIC_ACQUIRE); }

static struct handler *take(struct handler **list)
{
    pthread_spin_lock((pthread_spinlock_t *)&lock);
    struct handler *first = *list;
    if (first)
        __atomic_store_n(list, first->next, __ATOMIC_RELEASE);
    pthread_spin_unlock((pthread_spinlock_t *)&lock);
    return first;
}

static void run_all(struct handler **list, int code)
{
    while (first_of(list)) {
        struct handler *first = take(list);
        if (!first)
            continue; /* another thread has it */
        struct handler h = *first;
        free(first);
        switch (h.kind) {
        case PLAIN:
            h.call.plain();
            break;
        case WITH_ARGUMENT:
            h.call.with_argument(h.argument);
            break;
        case WITH_CODE:
            h.call.with_code(code, h.argument);
            break;
        }
    }
}

WEAK int atexit(void (*f)(void))
{
    return add(&at_exit_handlers, (struct handler){.kind = PLAIN, .call.plain = f});
}

void __selvedge_at_thread_end(void (*f)(void))
{
    destroy_variables = f;
    add(&at_exit_handlers, (struct handler){.kind = PLAIN, .call.plain = f});
}

WEAK int at_quick_exit(void (*f)(void))
{
    return add(&at_quick_exit_handlers, (struct handler){.kind = PLAIN, .call.plain = f});
}

WEAK int on_exit(void (*f)(int, void *), void *argument)
{
    return add(&at_exit_handlers, (struct handler){.kind = WITH_CODE, .call.with_code = f, .argument = argument});
}

WEAK int __cxa_atexit(void (*f)(void *), void *argument, void *library)
{
    (void)library;
    return add(&at_exit_handlers,
               (struct handler){.kind = WITH_ARGUMENT, .call.with_argument = f, .argument = argument});
}

ENGINE_ENTRY void exit(int code)
{
    if (__atomic_load_n(&at_exit_handlers, __ATOMIC_ACQUIRE)) {
        if (destroy_variables)
            destroy_variables();
        run_all(&at_exit_handlers, code);
    }
    __selvedge_exit(code);
}

WEAK void quick_exit(int code)
{
    run_all(&at_quick_exit_handlers, code);
    __selvedge_exit(code);
}

WEAK void _Exit(int code) { __selvedge_exit(code); }
WEAK void _exit(int code) { __selvedge_exit(code); }
