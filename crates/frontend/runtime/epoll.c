/* epoll: a set of descriptions to wait for, its members, and who is told when something happens. epollwait.c waits.
 *
 * A set is what it is on Linux: a list of those members to which something has happened. A wait looks at them in that
 * order, reports those that are ready, and takes them from the list; level-triggered ones go to its end again. So a member
 * with EPOLLET is reported once for whatever has happened since, and what does not fit comes first the next time.
 * What happens is what wakes pollers up on Linux (since 5.15, for pipes): `happened` in waiting.h.
 *
 * Members leave when they are taken out or when their description is closed for good.
 */
#include "epoll.h"

#include <poll.h>
#include <unistd.h>

WEAK void __selvedge_list(struct member *member)
{
    struct set *set = member->set;
    if (member->is_listed)
        return;
    member->is_listed = 1;
    member->next_ready = NULL;
    *set->last_ready = member;
    set->last_ready = &member->next_ready;
}

/* Sets of sets are told, too. */
static void tell_member(struct member *member)
{
    __selvedge_list(member);
    happened(member->set->file, POLLIN);
}

static int is_waited_for(const struct set *set)
{
    for (const struct waiter *w = __selvedge_pollers.first; w; w = w->next) {
        if (w->set == set)
            return 1;
    }
    return 0;
}

/* Of the sets with EPOLLEXCLUSIVE one or more are told, and one in which a thread waits if there is such a one: which
 * ones, the system decides. */
static void tell_some(struct description *file, int key)
{
    struct member *first = NULL, *waited_for = NULL;
    int is_enough = 0, n = 0;
    for (struct member *m = file->watchers; m; m = m->next_watcher)
        n += (m->event.events & EPOLLEXCLUSIVE) && can_report(m) && (!key || (m->event.events & (unsigned)key));
    for (struct member *m = file->watchers; m; m = m->next_watcher) {
        if (!(m->event.events & EPOLLEXCLUSIVE) || !can_report(m) || (key && !(m->event.events & (unsigned)key)))
            continue;
        int is_waited = is_waited_for(m->set);
        first = first ? first : m;
        waited_for = waited_for || !is_waited ? waited_for : m;
        unsigned char is_late = 0;
        if (n > 1)
            __selvedge_file_input(&is_late, 1, "/dev/epoll", 10, IS_LATE);
        if (is_late & 1)
            continue;
        tell_member(m);
        is_enough |= is_waited ? 2 : 1;
    }
    if (waited_for ? is_enough < 2 : first && !is_enough)
        tell_member(waited_for ? waited_for : first);
}

static void tell(struct description *file, int key)
{
    int some_are_exclusive = 0;
    for (struct member *m = file->watchers; m; m = m->next_watcher) {
        if (m->event.events & EPOLLEXCLUSIVE)
            some_are_exclusive = 1;
        else if (can_report(m) && (!key || (m->event.events & (unsigned)key)))
            tell_member(m);
    }
    if (some_are_exclusive)
        tell_some(file, key);
}
void (*const __selvedge_tell)(struct description *file, int key) = tell;

WEAK uint32_t __selvedge_member_state(const struct member *member, int must)
{
    if (!can_report(member))
        return 0;
    uint32_t ready = (uint32_t)member->file->kind->ready(member->file, must);
    return ready & (member->event.events | EPOLLERR | EPOLLHUP) & EVENTS;
}

static int set_ready(struct description *file, int must)
{
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        if ((m->is_listed || !needs_news(m)) && __selvedge_member_state(m, must))
            return POLLIN | POLLRDNORM;
    }
    return 0;
}

static int set_is_for_outside(struct description *file)
{
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        if (can_report(m) && m->file->kind->is_for_outside && m->file->kind->is_for_outside(m->file))
            return 1;
    }
    return 0;
}

static int set_is_untold(struct description *file)
{
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        if (can_report(m) && m->file->kind->is_untold && m->file->kind->is_untold(m->file))
            return 1;
    }
    return 0;
}

static int set_is_slow(struct description *file)
{
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        if (can_report(m) && is_slow(m))
            return 1;
    }
    return 0;
}

static uint64_t set_due(struct description *file)
{
    uint64_t first = UINT64_MAX;
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        uint64_t due = can_report(m) && m->file->kind->due ? m->file->kind->due(m->file) : UINT64_MAX;
        first = due < first ? due : first;
    }
    return first;
}

static int set_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = 0600;
    facts->links = 1;
    return 0;
}

static void leave(struct member *member)
{
    struct member **found = &member->file->watchers;
    while (*found != member)
        found = &(*found)->next_watcher;
    *found = member->next_watcher;
    member->is_gone = 1;
}

static void release_set(struct description *file)
{
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next)
        leave(m);
}

WEAK const struct operations __selvedge_set_kind = {
    .facts = set_facts,
    .ready = set_ready,
    .is_slow = set_is_slow,
    .is_for_outside = set_is_for_outside,
    .is_untold = set_is_untold,
    .due = set_due,
    .may_ignore_offsets = 1,
    .release = release_set,
};

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
    struct description *file = __selvedge_describe(&__selvedge_set_kind, O_RDWR, NULL);
    struct set *set = __selvedge_keep(sizeof *set);
    set->file = file;
    set->last_ready = &set->ready;
    file->own = set;
    file->references = 1;
    int number = __selvedge_install(file, 0, flags & EPOLL_CLOEXEC ? FD_CLOEXEC : 0);
    leave_world();
    return number;
}

WEAK int epoll_create(int size) { return (int)outcome(size <= 0 ? -EINVAL : new_set(0)); }
WEAK int epoll_create1(int flags) { return (int)outcome(new_set(flags)); }

WEAK struct set *__selvedge_set_of(int number, int *error)
{
    struct description *file = description_of(number);
    *error = !file ? -EBADF : file->kind != &__selvedge_set_kind ? -EINVAL : 0;
    return *error ? NULL : file->own;
}

/* Levels of sets below this one; as many as there can be, and more, if `set` is among them. */
#define MOST_LEVELS 5
static int levels(const struct description *file, const struct set *set)
{
    if (file->kind != &__selvedge_set_kind)
        return 0;
    int most = 0;
    for (struct member *m = ((struct set *)file->own)->members; m; m = m->next) {
        if (m->file->references == 0)
            continue;
        int n = m->file->own == set ? MOST_LEVELS : levels(m->file, set);
        most = n > most ? n : most;
    }
    return most + 1;
}

/* As Linux has it: what can be combined with EPOLLEXCLUSIVE. */
#define EXCLUSIVE (EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLWAKEUP | EPOLLET | EPOLLEXCLUSIVE)

/* Zero, or a negated error number. */
static int check(const struct set *set, int operation, struct description *file, uint32_t events)
{
    if (!file->kind->ready) {
        if (!file->node)
            __selvedge_unsupported("epoll on the console");
        return -EPERM;
    }
    if (file == set->file)
        return -EINVAL;
    if (operation == EPOLL_CTL_DEL)
        return 0;
    if (events & ~(EVENTS | EPOLLONESHOT | EPOLLET | EPOLLEXCLUSIVE | EPOLLWAKEUP))
        __selvedge_unsupported("this event of epoll");
    if ((events & EPOLLEXCLUSIVE) &&
        (operation == EPOLL_CTL_MOD || file->kind == &__selvedge_set_kind || (events & ~EXCLUSIVE)))
        return -EINVAL;
    if (operation == EPOLL_CTL_ADD && levels(file, set) >= MOST_LEVELS)
        return -ELOOP;
    int is_untold = file->kind->is_untold && file->kind->is_untold(file);
    if (is_untold && ((events & (EPOLLET | EPOLLEXCLUSIVE)) || set->file->watchers))
        __selvedge_unsupported("news of datagrams, of packets or of a connection that is not there yet, for epoll");
    return 0;
}

/* What is ready already is reported, once more after EPOLL_CTL_MOD. */
static void begin(struct member *member)
{
    if (is_slow(member) || __selvedge_member_state(member, 0))
        tell_member(member);
}

static int change(struct set *set, int operation, int number, const struct epoll_event *event)
{
    struct description *file = description_of(number);
    if (!file)
        return -EBADF;
    int error = check(set, operation, file, event->events);
    if (error < 0)
        return error;
    struct member **found = &set->members;
    while (*found && ((*found)->file != file || (*found)->number != number))
        found = &(*found)->next;
    struct member *member = *found;
    if (operation == EPOLL_CTL_ADD) {
        if (member)
            return -EEXIST;
        member = *found = __selvedge_keep(sizeof *member);
        member->set = set;
        member->file = file;
        member->number = number;
        member->next_watcher = file->watchers;
        file->watchers = member;
    } else if (!member) {
        return operation == EPOLL_CTL_DEL || operation == EPOLL_CTL_MOD ? -ENOENT : -EINVAL;
    } else if (operation == EPOLL_CTL_DEL) {
        *found = member->next;
        leave(member);
        return 0;
    } else if (operation != EPOLL_CTL_MOD || (member->event.events & EPOLLEXCLUSIVE)) {
        return -EINVAL;
    }
    member->event = *event;
    member->is_spent = 0;
    begin(member);
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
    struct set *set = __selvedge_set_of(number, &error);
    if (set)
        error = change(set, operation, member, &wanted);
    leave_world();
    return (int)outcome(error);
}
