/* Counters that threads wait for: eventfd. */
#include "waiting.h"

#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MOST (UINT64_MAX - 1)

struct counter {
    uint64_t value;
    int is_semaphore;
    struct queue for_reading, for_writing;
};

static ssize_t counter_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)at;
    struct counter *counter = file->own;
    if (size < sizeof counter->value)
        return -EINVAL;
    if (counter->value == 0) {
        if (!never_waits(file))
            __selvedge_enqueue(&counter->for_reading, 0);
        return WOULD_WAIT;
    }
    uint64_t taken = counter->is_semaphore ? 1 : counter->value;
    counter->value -= taken;
    memcpy(to, &taken, sizeof taken);
    __selvedge_changed(&counter->for_writing);
    happened(file, POLLOUT);
    return sizeof taken;
}

static ssize_t counter_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)at;
    struct counter *counter = file->own;
    uint64_t added;
    if (size < sizeof added)
        return -EINVAL;
    if (size > sizeof added)
        __selvedge_unsupported("writing more than 8 bytes to a counter; newer systems refuse it");
    memcpy(&added, from, sizeof added);
    if (added == UINT64_MAX)
        return -EINVAL;
    if (added > MOST - counter->value) {
        if (!never_waits(file))
            __selvedge_enqueue(&counter->for_writing, 0);
        return WOULD_WAIT;
    }
    counter->value += added;
    if (added > 0)
        __selvedge_changed(&counter->for_reading);
    /* Also if nothing was added, as on Linux; those who poll may have to look again. */
    else if (file->watchers)
        __selvedge_changed(&__selvedge_pollers);
    happened(file, POLLIN);
    return (ssize_t)size;
}

static int counter_ready(struct description *file, int must)
{
    (void)must;
    struct counter *counter = file->own;
    return (counter->value > 0 ? POLLIN | POLLRDNORM : 0) | (counter->value < MOST ? POLLOUT | POLLWRNORM : 0);
}

static int counter_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = 0600;
    facts->links = 1;
    return 0;
}

static const struct operations counter_kind = {
    .read = counter_read,
    .write = counter_write,
    .facts = counter_facts,
    .wait_to_read = __selvedge_wait_in_queue,
    .wait_to_write = __selvedge_wait_in_queue,
    .ready = counter_ready,
    .may_ignore_offsets = 1,
};

WEAK int eventfd(unsigned value, int flags)
{
    if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        return (int)outcome(-EINVAL);
    enter_world();
    int failure = FAILURE(EMFILE);
    if (failure < 0) {
        leave_world();
        return (int)outcome(failure);
    }
    struct counter *counter = __selvedge_keep(sizeof *counter);
    counter->value = value;
    counter->is_semaphore = (flags & EFD_SEMAPHORE) != 0;
    struct description *file =
        __selvedge_describe(&counter_kind, O_RDWR | (flags & EFD_NONBLOCK ? O_NONBLOCK : 0), NULL);
    file->own = counter;
    file->references = 1;
    int number = __selvedge_install(file, 0, flags & EFD_CLOEXEC ? FD_CLOEXEC : 0);
    leave_world();
    return number;
}

WEAK int eventfd_read(int number, eventfd_t *value)
{
    eventfd_t taken;
    ssize_t got = __selvedge_read_from(number, &taken, sizeof taken);
    if (got == sizeof taken)
        *value = taken;
    return outcome(got) == sizeof taken ? 0 : -1;
}

WEAK int eventfd_write(int number, eventfd_t value)
{
    return outcome(__selvedge_write_to(number, &value, sizeof value)) == sizeof value ? 0 : -1;
}
