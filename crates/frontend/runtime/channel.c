/* Channels. See channel.h. */
#include "channel.h"

#include <string.h>

WEAK struct channel *__selvedge_new_channel(void)
{
    struct channel *channel = __selvedge_keep(sizeof *channel);
    channel->readers = channel->writers = 1;
    return channel;
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
    return (ssize_t)n;
}

WEAK void __selvedge_no_reader(struct channel *channel)
{
    if (--channel->readers == 0)
        __selvedge_changed(&channel->for_room);
}

WEAK void __selvedge_no_writer(struct channel *channel)
{
    if (--channel->writers == 0)
        __selvedge_changed(&channel->for_bytes);
}
