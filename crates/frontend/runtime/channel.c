/* Channels. See channel.h. */
#include "channel.h"

#include <poll.h>
#include <string.h>

WEAK struct channel *__selvedge_new_channel(int kind)
{
    struct channel *channel = __selvedge_keep(sizeof *channel);
    channel->kind = kind;
    channel->readers = channel->writers = 1;
    return channel;
}

/* When Linux tells writers of room: in a pipe that was full, in a local connection with every message that has been read
 * to its end, in an internet connection that was full when enough of it is read. Where messages end and what is enough is
 * open as long as something is left. */
static void tell_of_room(struct channel *channel)
{
    int was_full = channel->lacked_room;
    if (channel->used == 0)
        channel->lacked_room = 0;
    if (!channel->writer || !channel->writer->watchers || !(was_full || channel->kind == LOCAL))
        return;
    if (channel->used > 0 && channel->kind != PIPE) {
        unsigned char is_late;
        __selvedge_file_input(&is_late, 1, "/dev/epoll", 10, IS_LATE);
        if (is_late & 1)
            return;
    }
    happened(channel->writer, channel->kind == PIPE ? POLLOUT | POLLWRNORM : POLLOUT | POLLWRNORM | POLLWRBAND);
}

WEAK ssize_t __selvedge_take(struct channel *channel, unsigned char *to, size_t size, int may_wait, int peeks)
{
    if (size == 0)
        return 0;
    if (channel->used == 0) {
        if (channel->writers == 0) {
            int error = channel->is_reset ? -ECONNRESET : 0;
            channel->is_reset = 0;
            return error;
        }
        if (may_wait)
            __selvedge_enqueue(&channel->for_bytes, 0);
        return WOULD_WAIT;
    }
    size_t n = size < channel->used ? size : channel->used;
    memcpy(to, channel->bytes + channel->start, n);
    if (!peeks) {
        channel->used -= n;
        channel->start = channel->used ? channel->start + n : 0;
        __selvedge_changed(&channel->for_room);
        tell_of_room(channel);
    }
    return (ssize_t)n;
}

WEAK ssize_t __selvedge_give(struct channel *channel, const unsigned char *from, size_t size, int may_wait,
                             int is_whole)
{
    if (size == 0)
        return 0;
    if (channel->readers == 0)
        return -EPIPE;
    size_t room = CAPACITY - channel->used;
    if (size > room)
        __selvedge_assumed("world.pipe-capacity");
    if (size >= room)
        channel->lacked_room = 1;
    if (room == 0 || (is_whole && size <= CAPACITY && size > room)) {
        if (may_wait)
            __selvedge_enqueue(&channel->for_room, 0);
        return WOULD_WAIT;
    }
    size_t n = size < room ? size : room;
    if (channel->start + channel->used + n > CAPACITY) {
        memmove(channel->bytes, channel->bytes + channel->start, channel->used);
        channel->start = 0;
    }
    memcpy(channel->bytes + channel->start + channel->used, from, n);
    channel->used += n;
    __selvedge_changed(&channel->for_bytes);
    happened(channel->reader,
             channel->kind == PIPE ? POLLIN | POLLRDNORM : POLLIN | POLLPRI | POLLRDNORM | POLLRDBAND);
    return (ssize_t)n;
}

/* Both ends are told of anything. */
static void tell_of_end(struct channel *channel, struct queue *queue)
{
    __selvedge_changed(queue);
    happened(channel->reader, 0);
    happened(channel->writer, 0);
}

WEAK void __selvedge_no_reader(struct channel *channel)
{
    if (--channel->readers == 0)
        tell_of_end(channel, &channel->for_room);
}

WEAK void __selvedge_no_writer(struct channel *channel)
{
    if (--channel->writers == 0)
        tell_of_end(channel, &channel->for_bytes);
}
