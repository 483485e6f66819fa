/* Waiting for a set of epoll: see epoll.c. */
#include "epoll.h"
#include "masking.h"

#include <pthread.h>

/* Puts those to the list that become ready without somebody in the program doing something, and says how many are
 * ready. Of those that time makes ready only `first` must be. */
static void look(struct set *set, int must, const struct member *first)
{
    for (struct member *m = set->members; m; m = m->next) {
        if (!can_report(m))
            continue;
        int is_timed = m->file->kind->due && m->file->kind->due(m->file) != UINT64_MAX;
        int this_must = must && (!is_timed || m == first);
        if (!needs_news(m)) {
            if (!m->is_listed && __selvedge_member_state(m, this_must))
                __selvedge_list(m);
        } else if (m->file->kind->arrived && is_slow(m)) {
            unsigned arrived = m->file->kind->arrived(m->file, m->told, this_must);
            if (arrived != m->told)
                __selvedge_list(m);
            m->told = arrived;
        } else if (is_timed) {
            /* It tells when it becomes ready. */
            m->file->kind->ready(m->file, this_must);
        }
    }
}

/* What was listed is reported in that order as far as it is ready; the rest stays before it. */
static int report(struct set *set, struct epoll_event *to, int most)
{
    int n = 0, from_outside = 0;
    struct member *all = set->ready, **end = set->last_ready, *m;
    set->ready = NULL;
    set->last_ready = &set->ready;
    for (m = all; m && n < most; m = all) {
        all = m->next_ready;
        m->is_listed = 0;
        uint32_t ready = __selvedge_member_state(m, 0);
        if (!ready)
            continue;
        from_outside |= is_slow(m);
        to[n].events = ready;
        to[n++].data = m->event.data;
        if (m->event.events & EPOLLONESHOT)
            m->is_spent = 1;
        else if (!(m->event.events & EPOLLET))
            __selvedge_list(m);
    }
    if (all) {
        struct member *again = set->ready;
        if (again)
            *end = again;
        else
            set->last_ready = end;
        set->ready = all;
    }
    if (from_outside && (n > 1 || all))
        __selvedge_assumed("world.epoll-order");
    return n;
}

static int is_ready(struct set *set)
{
    for (struct member *m = set->ready; m; m = m->next_ready) {
        if (!is_slow(m) && __selvedge_member_state(m, 0))
            return 1;
    }
    return 0;
}

/* Before a wait without a limit: slow ones must be ready if nothing else is, and need not all be. */
static int collect_for_long(struct set *set, struct epoll_event *to, int most)
{
    int n_slow = 0;
    const struct member *first = NULL;
    for (struct member *m = set->members; m; m = m->next) {
        if (!can_report(m) || !is_slow(m))
            continue;
        n_slow++;
        if (m->file->kind->due && m->file->kind->due(m->file) != UINT64_MAX &&
            (!first || m->file->kind->due(m->file) < first->file->kind->due(first->file)))
            first = m;
    }
    look(set, n_slow == 1 && !is_ready(set), first);
    int n = report(set, to, most);
    if (n == 0 && n_slow > 0) {
        look(set, 1, first);
        n = report(set, to, most);
    }
    return n;
}

static int collect(struct set *set, struct epoll_event *to, int most)
{
    look(set, 0, NULL);
    return report(set, to, most);
}

static int tells_time(const struct set *set) { return set->file->kind->due(set->file) != UINT64_MAX; }

/* Whether only somebody outside, who may take his time, could make a member ready. */
static int is_left_to_outside(struct set *set)
{
    int found = 0;
    for (struct member *m = set->members; m; m = m->next) {
        if (!can_report(m))
            continue;
        int waits = is_left_to_others(m->file, m->event.events & (EPOLLOUT | EPOLLWRNORM));
        if (!waits && (m->is_listed || !needs_news(m)) && __selvedge_member_state(m, 1))
            return 0;
        found |= waits;
    }
    return found;
}

/* 0, or -EINTR if a handler runs before somebody outside has made a member ready. */
static int meanwhile(int number)
{
    if (!__selvedge_may_interrupt())
        return 0;
    int error;
    enter_world();
    struct set *set = __selvedge_set_of(number, &error);
    int waits = set && is_left_to_outside(set);
    leave_world();
    return waits && __selvedge_interrupts(0) ? -EINTR : 0;
}

/* More at once than this are not looked for. */
#define MOST 64

/* One look, that does not wait. */
static int try_once(int number, struct epoll_event *to, int most)
{
    int n;
    enter_world();
    struct set *set = __selvedge_set_of(number, &n);
    if (set)
        n = collect(set, to, most);
    leave_world();
    return n;
}

/* The call ends with this look, or by a handler that has run. */
static int last_try(int number, struct epoll_event *to, int most, struct masking *masking)
{
    enter_world();
    int n = is_cut(masking) ? -EINTR : most > 0 ? try_once(number, to, most) : 0;
    close_mask(masking);
    leave_world();
    return n;
}

static int wait_until(int number, struct epoll_event *to, int most, const struct timespec *limit,
                      struct masking *masking)
{
    if (meanwhile(number) < 0)
        return -EINTR;
    for (;;) {
        int n, has_time = 0;
        enter_world();
        struct set *set = __selvedge_set_of(number, &n);
        /* A handler that has run ends the call before it takes anything. */
        int was_cut = is_cut(masking);
        if (set && !was_cut) {
            n = limit ? collect(set, to, most) : collect_for_long(set, to, most);
            if (n == 0) {
                has_time = tells_time(set);
                __selvedge_enqueue_for(set, !limit && set->file->kind->is_for_outside(set->file));
                if (masking)
                    __selvedge_wait_masked(masking->handled);
            }
        }
        if (was_cut || n != 0)
            close_mask(masking);
        leave_world();
        if (was_cut)
            return -EINTR;
        if (n != 0)
            return n;
        int result = __selvedge_rest(limit, 0);
        if (result == -ETIMEDOUT)
            return last_try(number, to, has_time ? most : 0, masking);
        if (result < 0)
            return result;
    }
}

WEAK int __selvedge_wait_for_set(int number, struct epoll_event *to, int most, const struct timespec *limit,
                                 struct masking *masking)
{
    pthread_testcancel();
    if (most <= 0)
        return -EINVAL;
    __selvedge_must_fit(to, (size_t)most * sizeof *to);
    struct epoll_event found[MOST];
    int n, room = most < MOST ? most : MOST;
    if (!may_wait(limit)) {
        n = try_once(number, found, room);
    } else {
        n = masking ? try_once(number, found, room) : 0;
        if (masking && n == 0) {
            masking->open(masking);
            if (is_cut(masking))
                return -EINTR;
        }
        if (n == 0)
            n = wait_until(number, found, room, limit, masking);
    }
    for (int i = 0; i < n; i++)
        to[i] = found[i];
    return n;
}

WEAK int epoll_wait(int number, struct epoll_event *to, int most, int milliseconds)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return (int)outcome(__selvedge_wait_for_set(number, to, most, milliseconds < 0 ? NULL : &limit, NULL));
}
