/* epoll: a set of descriptions to wait for. See poll.c.
 *
 * A member is a description under a number, as on Linux, and leaves when the description is closed for good. Edge-triggered
 * and exclusive members are not modelled.
 */
#include "waiting.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

struct member {
    struct member *next;
    struct description *file;
    int number;
    int is_spent; /* EPOLLONESHOT */
    struct epoll_event event;
};

struct set {
    struct member *members;
};

/* EPOLLIN and the others have the numbers of POLLIN and the others. */
#define EVENTS (EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDNORM | EPOLLWRNORM | EPOLLRDHUP | EPOLLERR | EPOLLHUP)

/* A description without references is closed: its memory stays, and nobody else gets it. */
static int is_closed(const struct member *member) { return member->file->references == 0; }

static uint32_t state_of(const struct member *member, int must)
{
    if (member->is_spent || is_closed(member))
        return 0;
    uint32_t ready = (uint32_t)member->file->kind->ready(member->file, must);
    return ready & (member->event.events | EPOLLERR | EPOLLHUP) & EVENTS;
}

static int set_ready(struct description *file, int must)
{
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        if (state_of(m, must))
            return POLLIN | POLLRDNORM;
    }
    return 0;
}

static int set_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = 0600;
    facts->links = 1;
    return 0;
}

static const struct operations set_kind = {.facts = set_facts, .ready = set_ready};

static int new_set(int flags)
{
    if (flags & ~EPOLL_CLOEXEC)
        return -EINVAL;
    enter_world();
    int failure = FAILURE(EMFILE);
    if (failure < 0) {
        leave_world();
        return failure;
    }
    struct description *file = __selvedge_describe(&set_kind, O_RDWR, NULL);
    file->own = __selvedge_keep(sizeof(struct set));
    file->references = 1;
    int number = __selvedge_install(file, 0, flags & EPOLL_CLOEXEC ? FD_CLOEXEC : 0);
    leave_world();
    return number;
}

WEAK int epoll_create(int size) { return (int)outcome(size <= 0 ? -EINVAL : new_set(0)); }
WEAK int epoll_create1(int flags) { return (int)outcome(new_set(flags)); }

static struct set *set_of(int number, int *error)
{
    struct description *file = description_of(number);
    *error = !file ? -EBADF : file->kind != &set_kind ? -EINVAL : 0;
    return *error ? NULL : file->own;
}

static int change(struct set *set, int operation, int number, const struct epoll_event *event)
{
    struct description *file = description_of(number);
    if (!file)
        return -EBADF;
    if (!file->kind->ready) {
        if (!file->node)
            __selvedge_unsupported("epoll on the console");
        return -EPERM;
    }
    if (file->kind == &set_kind)
        __selvedge_unsupported("epoll on epoll");
    if (operation != EPOLL_CTL_DEL && (event->events & ~(EVENTS | EPOLLONESHOT)))
        __selvedge_unsupported("edge-triggered or exclusive members of epoll");
    struct member **found = &set->members;
    while (*found && ((*found)->file != file || (*found)->number != number))
        found = &(*found)->next;
    if (operation == EPOLL_CTL_ADD) {
        if (*found)
            return -EEXIST;
        struct member *member = __selvedge_keep(sizeof *member);
        member->file = file;
        member->number = number;
        member->event = *event;
        *found = member;
    } else if (!*found) {
        return operation == EPOLL_CTL_DEL || operation == EPOLL_CTL_MOD ? -ENOENT : -EINVAL;
    } else if (operation == EPOLL_CTL_DEL) {
        *found = (*found)->next;
        return 0;
    } else if (operation == EPOLL_CTL_MOD) {
        (*found)->event = *event;
        (*found)->is_spent = 0;
    } else {
        return -EINVAL;
    }
    /* Somebody may wait for this set already. */
    __selvedge_changed(&__selvedge_pollers);
    return 0;
}

WEAK int epoll_ctl(int number, int operation, int member, struct epoll_event *event)
{
    struct epoll_event wanted = {0};
    if (operation != EPOLL_CTL_DEL)
        wanted = *event;
    int error;
    enter_world();
    struct set *set = set_of(number, &error);
    if (set)
        error = change(set, operation, member, &wanted);
    leave_world();
    return (int)outcome(error);
}

/* Which of several ready ones come first when not all fit is left to the system: those that were added first. */
static int collect(struct set *set, struct epoll_event *to, int most, int must)
{
    int n = 0;
    for (struct member *m = set->members; m; m = m->next) {
        uint32_t ready = state_of(m, must);
        if (!ready)
            continue;
        if (n == most)
            __selvedge_unsupported("epoll_wait with more that is ready than fits");
        to[n].events = ready;
        to[n++].data = m->event.data;
        if (m->event.events & EPOLLONESHOT)
            m->is_spent = 1;
    }
    return n;
}

static int waits_for_outside(const struct set *set)
{
    for (struct member *m = set->members; m; m = m->next) {
        if (!m->is_spent && !is_closed(m) && (m->file->kind->ready(m->file, 1) & OUTSIDE))
            return 1;
    }
    return 0;
}

/* Whether only somebody outside, who may take his time, could make a member ready. */
static int is_slow(struct set *set)
{
    int found = 0;
    for (struct member *m = set->members; m; m = m->next) {
        if (m->is_spent || is_closed(m))
            continue;
        int waits = !(m->event.events & EPOLLOUT) && m->file->kind->is_slow && m->file->kind->is_slow(m->file);
        if (!waits && state_of(m, 1))
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
    struct set *set = set_of(number, &error);
    int slow = set && is_slow(set);
    leave_world();
    return slow && __selvedge_interrupts(0) ? -EINTR : 0;
}

/* More at once than this are not looked for. */
#define MOST 64

static int wait_until(int number, struct epoll_event *to, int most, int milliseconds)
{
    pthread_testcancel();
    if (most <= 0)
        return -EINVAL;
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    struct epoll_event found[MOST];
    if (milliseconds != 0 && meanwhile(number) < 0)
        return -EINTR;
    for (;;) {
        int n;
        enter_world();
        struct set *set = set_of(number, &n);
        if (set) {
            n = collect(set, found, most < MOST ? most : MOST, milliseconds < 0);
            if (n == 0 && milliseconds != 0)
                __selvedge_enqueue(&__selvedge_pollers, milliseconds < 0 && waits_for_outside(set));
        }
        leave_world();
        for (int i = 0; i < n; i++)
            to[i] = found[i];
        if (n != 0 || milliseconds == 0)
            return n;
        int result = __selvedge_rest(milliseconds < 0 ? NULL : &limit, 0);
        if (result < 0)
            return result == -ETIMEDOUT ? 0 : result;
    }
}

WEAK int epoll_wait(int number, struct epoll_event *to, int most, int milliseconds)
{
    return (int)outcome(wait_until(number, to, most, milliseconds));
}

WEAK int epoll_pwait(int number, struct epoll_event *to, int most, int milliseconds, const sigset_t *mask)
{
    if (mask)
        __selvedge_unsupported("epoll_pwait with a mask of signals");
    return (int)outcome(wait_until(number, to, most, milliseconds));
}
