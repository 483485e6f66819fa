/* Misuse of synchronisation that the system does not punish, or not surely.
 *
 * Where misuse is the recorded failure, these look at the real object before the system gets to it: what they find is a
 * fact about this process and not about the engine's idea of it. Anywhere else they only do what the system does.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>

static struct sv_thread *find(pthread_t handle)
{
    struct sv_thread *found = NULL;
    for (size_t i = 0; i < sv_n_threads; i++) {
        struct sv_thread *t = &sv_threads[i];
        /* The handle of a thread that is gone may be given again. */
        if (t->has_handle && pthread_equal(t->handle, handle) && (!found || found->fate != SV_JOINABLE))
            found = t;
    }
    return found;
}

int selvedge_native_pthread_join(pthread_t handle, void **result)
{
    struct sv_thread *t = find(handle);
    if (!t)
        sv_misuse("join of something that is not a thread");
    else if (t == sv_me)
        sv_misuse("a thread joins itself");
    else if (t->fate == SV_DETACHED)
        sv_misuse("a detached thread is joined");
    else if (t->fate == SV_JOINED)
        sv_misuse("a thread is joined twice");
    else
        t->fate = SV_JOINED;
    if (t && sv_me) {
        sv_lock();
        while (!t->has_ended && sv_step_on(sv_me))
            ;
        sv_unlock();
    }
    return pthread_join(handle, result);
}

int selvedge_native_pthread_detach(pthread_t handle)
{
    struct sv_thread *t = find(handle);
    if (!t)
        sv_misuse("detach of something that is not a thread");
    else if (t->fate != SV_JOINABLE)
        sv_misuse("a thread is detached that was joined or detached before");
    else
        t->fate = SV_DETACHED;
    return pthread_detach(handle);
}

int selvedge_native_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    if (sv_me) {
        sv_lock();
        while (mutex->__data.__lock && mutex->__data.__owner != sv_me->tid && sv_step_on(sv_me))
            ;
        sv_unlock();
    }
    int error = pthread_mutex_lock(mutex);
    if (error == EINVAL)
        sv_misuse("a mutex is used after it was destroyed");
    return error;
}

int selvedge_native_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    int is_owner = sv_me && mutex->__data.__owner == sv_me->tid;
    if (!is_owner && !mutex->__data.__lock)
        sv_misuse("a mutex is unlocked that is not locked");
    else if (!is_owner)
        sv_misuse("a thread unlocks a mutex that another thread holds");
    return pthread_mutex_unlock(mutex);
}

int selvedge_native_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    int error = pthread_mutex_destroy(mutex);
    if (error == EBUSY)
        sv_misuse("a mutex is destroyed while it is locked");
    return error;
}

int selvedge_native_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    /* Above the lowest three bits it counts readers. */
    int is_held = sv_me && (lock->__data.__cur_writer == sv_me->tid || lock->__data.__readers >> 3 > 0);
    if (!is_held)
        sv_misuse("a thread unlocks a read-write lock that it does not hold");
    return pthread_rwlock_unlock(lock);
}
