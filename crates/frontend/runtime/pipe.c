/* Pipes. A write of up to PIPE_BUF bytes is one step; a longer one goes in parts. See channel.h. */
#include "channel.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* What SIGPIPE does in a program that has to do with signals; in others it ends the program. See signal.c. */
extern void (*const __selvedge_raise_broken_pipe)(void);
WEAK void (*const __selvedge_raise_broken_pipe)(void) = NULL;

WEAK void __selvedge_broken_pipe(void)
{
    if (__selvedge_raise_broken_pipe)
        __selvedge_raise_broken_pipe();
    else
        __selvedge_exit(128 + SIGPIPE);
}

static ssize_t pipe_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)at;
    return __selvedge_take(file->own, to, size, !never_waits(file), 0);
}

static ssize_t pipe_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)at;
    return __selvedge_give(file->own, from, size, !never_waits(file), 1);
}

static int pipe_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = S_IFIFO | 0600;
    facts->links = 1;
    return 0;
}

static int reader_ready(struct description *file, int must)
{
    (void)must;
    struct channel *channel = file->own;
    return (channel->used > 0 ? POLLIN | POLLRDNORM : 0) | (channel->writers == 0 ? POLLHUP : 0);
}

/* As POSIX has it: PIPE_BUF bytes can be written without waiting. */
static int writer_ready(struct description *file, int must)
{
    (void)must;
    struct channel *channel = file->own;
    if (channel->used > 0)
        __selvedge_assumed("world.pipe-capacity");
    return (channel->used == 0 ? POLLOUT | POLLWRNORM : 0) | (channel->readers == 0 ? POLLERR : 0);
}

static void release_reader(struct description *file) { __selvedge_no_reader(file->own); }
static void release_writer(struct description *file) { __selvedge_no_writer(file->own); }

static const struct operations reader = {
    .read = pipe_read,
    .facts = pipe_facts,
    .release = release_reader,
    .wait_to_read = __selvedge_wait_in_queue,
    .ready = reader_ready,
};

static const struct operations writer = {
    .write = pipe_write,
    .facts = pipe_facts,
    .release = release_writer,
    .wait_to_write = __selvedge_wait_in_queue,
    .broken = __selvedge_broken_pipe,
    .ready = writer_ready,
};

static int new_end(struct channel *channel, const struct operations *kind, int mode, int flags)
{
    struct description *file = __selvedge_describe(kind, mode | (flags & O_NONBLOCK), NULL);
    file->own = channel;
    file->references = 1;
    return __selvedge_install(file, 0, flags & O_CLOEXEC ? FD_CLOEXEC : 0);
}

static int new_pipe(int ends[2], int flags)
{
    if (flags & ~(O_NONBLOCK | O_CLOEXEC | O_DIRECT))
        return -EINVAL;
    if (flags & O_DIRECT)
        __selvedge_unsupported("pipes of packets");
    enter_world();
    int failure = FAILURE(EMFILE);
    if (failure < 0) {
        leave_world();
        return failure;
    }
    struct channel *channel = __selvedge_new_channel(PIPE);
    int from = new_end(channel, &reader, O_RDONLY, flags);
    int to = new_end(channel, &writer, O_WRONLY, flags);
    channel->reader = description_of(from);
    channel->writer = description_of(to);
    leave_world();
    ends[0] = from;
    ends[1] = to;
    return 0;
}

WEAK int pipe(int ends[2]) { return (int)outcome(new_pipe(ends, 0)); }
WEAK int pipe2(int ends[2], int flags) { return (int)outcome(new_pipe(ends, flags)); }
