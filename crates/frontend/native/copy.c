/* Copies that other threads see half done.
 *
 * The record has a step for each word of them that another thread could notice; they are made here one by one. A copy
 * without such steps is left to the system, and so are the accesses themselves: a sanitizer looks at its functions.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <string.h>
#include <strings.h>

/* Copies `n` bytes, or fills them with `byte` if there is no `from`, along the record. 0 if it does not say how. */
static int in_steps(void *target, const void *source, int byte, size_t n)
{
    struct sv_thread *t = sv_me;
    if (!t || !t->is_holding || !sv_steps[t->step].copies || sv_steps[t->step].point != t->count)
        return 0;
    unsigned char held[16], *to = target;
    const unsigned char *from = source;
    size_t n_written = 0;
    for (;;) {
        const struct sv_step *step = &sv_steps[t->step];
        if (step->size > sizeof held || step->at > n || n - step->at < step->size ||
            (!from && step->copies != SV_WRITES))
            sv_diverged("thread %u copies other bytes than in the record at %s", t->number, sv_point_of(t->site));
        if (!from)
            memset(to + step->at, byte, step->size);
        else if (step->copies == SV_READS)
            memcpy(held, from + step->at, step->size);
        else if (step->copies == SV_WRITES)
            memcpy(to + step->at, held, step->size);
        else
            memmove(to + step->at, from + step->at, step->size);
        if (step->copies & SV_WRITES)
            n_written += step->size;
        if (n_written >= n)
            return 1;
        sv_lock();
        sv_release(t);
        size_t next = t->next;
        if (next == sv_n_steps || sv_steps[next].point != t->count || !sv_steps[next].copies)
            sv_park(t, SV_PARKED);
        sv_take_turn(t, next);
        sv_plan(t);
        sv_unlock();
    }
}

void *selvedge_native_memcpy(void *to, const void *from, size_t n)
{
    return in_steps(to, from, 0, n) ? to : memcpy(to, from, n);
}

void *selvedge_native_memmove(void *to, const void *from, size_t n)
{
    return in_steps(to, from, 0, n) ? to : memmove(to, from, n);
}

void *selvedge_native_memset(void *to, int byte, size_t n)
{
    return in_steps(to, NULL, byte, n) ? to : memset(to, byte, n);
}

void *selvedge_native_mempcpy(void *to, const void *from, size_t n)
{
    return (char *)selvedge_native_memcpy(to, from, n) + n;
}

void *selvedge_native___memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    (void)room;
    return selvedge_native_memcpy(to, from, n);
}

void *selvedge_native___memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    (void)room;
    return selvedge_native_memmove(to, from, n);
}

void *selvedge_native___memset_chk(void *to, int byte, size_t n, size_t room)
{
    (void)room;
    return selvedge_native_memset(to, byte, n);
}

void selvedge_native_bcopy(const void *from, void *to, size_t n) { selvedge_native_memmove(to, from, n); }
void selvedge_native_bzero(void *to, size_t n) { selvedge_native_memset(to, 0, n); }
void selvedge_native_explicit_bzero(void *to, size_t n) { selvedge_native_memset(to, 0, n); }
