/* Exceptions of C++: how they start, where they land, and how long they live.
 *
 * A function that throws returns here, with the exception in `mine.flying`; the lowered code of its callers asks
 * __selvedge_landing after each call what to do (see frontend/src/lower/unwind.rs). As in the C++ ABI of Itanium a
 * handler is looked for before anything is left: without one the program ends where it threw.
 *
 * A thread that ends by pthread_exit or because it is cancelled leaves its functions in the same way, if there is
 * anything to do in them.
 *
 * An exception may be kept for later, and thrown again in several threads at once (std::exception_ptr): each time has a
 * header of its own, and the object lives as long as something refers to it.
 *
 * Not covered: exceptions of other languages.
 */
#include "runtime.h"
#include "types.h"

#include <stdlib.h>
#include <string.h>

/* Provided by the engine. */
int __selvedge_find_handler(const struct type *type, void *object);
ptrdiff_t __selvedge_catches(const struct type *type, const struct type *clause, void *object);
int __selvedge_must_unwind(void);
void __selvedge_leaves(void *result);
__attribute__((noreturn)) void __selvedge_end_thread(void *result);
__attribute__((noreturn)) void __selvedge_terminate(const char *type, int reason);
enum reason { CALLED, UNCAUGHT, STOPPED };

struct exception {
    const struct type *type; /* NULL: the thread ends and only leaves its functions */
    void (*destructor)(void *);
    struct exception *next; /* in the stack of those being handled */
    void *adjusted;         /* what the handler is given */
    int n_handlers;         /* that have begun and not ended */
    int is_rethrown;
    struct exception *owner; /* has the object: this one, or the one that was kept */
    int n_references;        /* to the owner */
    _Alignas(16) char object[];
};

static _Thread_local struct {
    struct exception *flying;
    struct exception *caught; /* the innermost handler's */
    unsigned n_uncaught;
    int is_terminating;
} mine;

/* Stands for the end of its thread. */
static _Thread_local struct exception ending;

static struct exception *header(void *object)
{
    return (struct exception *)((char *)object - offsetof(struct exception, object));
}

/* What compiled code knows an exception by: it expects the object so many bytes behind that, whatever begins there. A
 * handler of a reference to a pointer looks for the pointer itself in this way. */
enum { HANDLE = 32 };
static void *handle_of(struct exception *e) { return e->object - HANDLE; }
static struct exception *exception_of(void *handle) { return header((char *)handle + HANDLE); }

/* Only the names of pointers begin with P. A null pointer is one of any type. */
static int is_pointer(const struct type *type)
{
    return type && (type->name[0] == 'P' || (type->name[0] == 'D' && type->name[1] == 'n'));
}

WEAK void *__cxa_allocate_exception(size_t size)
{
    struct exception *e = malloc(sizeof *e + size);
    if (!e)
        __selvedge_unsupported("no memory for an exception");
    memset(e, 0, sizeof *e);
    e->owner = e;
    return e->object;
}

WEAK void __cxa_free_exception(void *object) { free(header(object)); }

static void refer(struct exception *owner) { __atomic_add_fetch(&owner->n_references, 1, __ATOMIC_ACQ_REL); }

static void release(struct exception *owner)
{
    if (__atomic_sub_fetch(&owner->n_references, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    if (owner->destructor)
        owner->destructor(owner->object);
    free(owner);
}

static void end_by_default(void) { __selvedge_terminate(NULL, CALLED); }
static void (*on_terminate)(void) = end_by_default;

WEAK void (*_ZSt13set_terminatePFvvE(void (*handler)(void)))(void)
{
    return __atomic_exchange_n(&on_terminate, handler ? handler : end_by_default, __ATOMIC_ACQ_REL);
}

WEAK void (*_ZSt13get_terminatev(void))(void) { return __atomic_load_n(&on_terminate, __ATOMIC_ACQUIRE); }

static __attribute__((noreturn)) void terminate(const struct exception *e, enum reason reason)
{
    void (*handler)(void) = __atomic_load_n(&on_terminate, __ATOMIC_ACQUIRE);
    /* An exception does not get past the handler. */
    if (handler != end_by_default && !mine.is_terminating) {
        mine.is_terminating = 1;
        handler();
    }
    __selvedge_terminate(e && e->type ? e->type->name : NULL, reason);
}

WEAK __attribute__((noreturn)) void _ZSt9terminatev(void) { terminate(mine.caught, CALLED); }

static void raise(struct exception *e)
{
    if (mine.is_terminating)
        __selvedge_unsupported("an exception in a handler of std::terminate");
    if (e->type && !__selvedge_find_handler(e->type, e->owner->object)) {
        e->next = mine.caught;
        mine.caught = e;
        terminate(e, UNCAUGHT);
    }
    mine.n_uncaught++;
    mine.flying = e;
}

WEAK void __cxa_throw(void *object, const struct type *type, void (*destructor)(void *))
{
    struct exception *e = header(object);
    e->type = type;
    e->destructor = destructor;
    e->n_references = 1;
    raise(e);
}

WEAK void __cxa_rethrow(void)
{
    struct exception *e = mine.caught;
    if (!e)
        terminate(NULL, CALLED);
    e->is_rethrown = 1;
    if (e->type)
        raise(e);
    else
        mine.flying = e;
}

/* After a call that may have ended with an exception: where to? The arguments are number and type of each clause of the
 * landing pad, and 0. The result is the number of the clause that catches, 0 for the landing pad of a cleanup, or: */
enum { GO_ON = -1, PASS_ON = -2 };

int __selvedge_landing(int is_cleanup, ...)
{
    struct exception *e = mine.flying;
    if (!e)
        return GO_ON;
    va_list clauses;
    va_start(clauses, is_cleanup);
    for (int number; (number = va_arg(clauses, int));) {
        const struct type *clause = va_arg(clauses, const struct type *);
        char *object = e->type ? e->owner->object : NULL;
        ptrdiff_t offset = __selvedge_catches(e->type, clause, object);
        if (offset == -1)
            continue;
        /* The handler of a pointer is given the pointer itself. */
        if (is_pointer(e->type))
            object = *(char **)object;
        e->adjusted = object ? object + offset : object;
        va_end(clauses);
        return number;
    }
    va_end(clauses);
    return is_cleanup ? 0 : PASS_ON;
}

void *__selvedge_land(void)
{
    struct exception *e = mine.flying;
    mine.flying = NULL;
    return handle_of(e);
}

void __selvedge_resume(void *handle) { mine.flying = exception_of(handle); }

WEAK void *__cxa_get_exception_ptr(void *handle) { return exception_of(handle)->adjusted; }

WEAK void *__cxa_begin_catch(void *handle)
{
    struct exception *e = exception_of(handle);
    mine.n_uncaught -= e->type != NULL;
    e->is_rethrown = 0;
    e->n_handlers++;
    if (mine.caught != e) {
        e->next = mine.caught;
        mine.caught = e;
    }
    return e->adjusted;
}

/* Nobody handles this one any more. */
static void release_header(struct exception *e)
{
    struct exception *owner = e->owner;
    if (e != owner)
        free(e);
    release(owner);
}

WEAK void __cxa_end_catch(void)
{
    struct exception *e = mine.caught;
    if (!e || --e->n_handlers > 0)
        return;
    mine.caught = e->next;
    if (e->is_rethrown)
        return;
    if (!e->type)
        terminate(NULL, STOPPED);
    release_header(e);
}

/* --- std::exception_ptr: a pointer to the object, or null --- */

WEAK void _ZNSt15__exception_ptr13exception_ptrC1EPv(void **pointer, void *object)
{
    *pointer = object;
    if (object)
        refer(header(object));
}

WEAK void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void **pointer)
{
    if (*pointer)
        refer(header(*pointer));
}

WEAK void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void **pointer)
{
    if (*pointer)
        release(header(*pointer));
    *pointer = NULL;
}

WEAK const struct type *_ZNKSt15__exception_ptr13exception_ptr20__cxa_exception_typeEv(void *const *pointer)
{
    return *pointer ? header(*pointer)->type : NULL;
}

WEAK void _ZSt17current_exceptionv(void **result)
{
    struct exception *e = mine.caught;
    *result = e && e->type ? e->owner->object : NULL;
    if (*result)
        refer(e->owner);
}

WEAK void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void **pointer)
{
    struct exception *owner = header(*pointer);
    struct exception *e = malloc(sizeof *e + sizeof(void *));
    if (!e)
        __selvedge_unsupported("no memory for an exception");
    memset(e, 0, sizeof *e);
    if (is_pointer(owner->type))
        memcpy(e->object, owner->object, sizeof(void *));
    e->type = owner->type;
    e->owner = owner;
    refer(owner);
    raise(e);
}

/* For std::make_exception_ptr. */
WEAK void *__cxa_init_primary_exception(void *object, const struct type *type, void (*destructor)(void *))
{
    struct exception *e = header(object);
    e->type = type;
    e->destructor = destructor;
    return e;
}

/* --- the end of threads --- */

/* The running thread leaves its functions, and ends. The engine calls it in place of a function with any result. */
long __selvedge_leave(void *result)
{
    __selvedge_leaves(result);
    mine.flying = &ending;
    return 0;
}

WEAK void pthread_exit(void *result)
{
    if (!__selvedge_must_unwind())
        __selvedge_end_thread(result);
    __selvedge_leave(result);
}

/* Every function with a landing pad names it, which is how this file comes to be linked. */
WEAK int __gxx_personality_v0(void) { __selvedge_unsupported("a call of a personality function"); }
WEAK int __gcc_personality_v0(void) { __selvedge_unsupported("a call of a personality function"); }

WEAK const struct type *__cxa_current_exception_type(void) { return mine.caught ? mine.caught->type : NULL; }
WEAK _Bool _ZSt18uncaught_exceptionv(void) { return mine.n_uncaught > 0; }
WEAK int _ZSt19uncaught_exceptionsv(void) { return (int)mine.n_uncaught; }
