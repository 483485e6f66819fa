/* A bounded stream of bytes from writers to readers: what pipes and connections are made of. See channel.c. */
#ifndef SELVEDGE_CHANNEL_H
#define SELVEDGE_CHANNEL_H

#include "waiting.h"

/* What a channel holds before writers have to wait: a page, the least that Linux gives a pipe, and PIPE_BUF. */
#define CAPACITY 4096

struct channel {
    unsigned readers, writers; /* open ends */
    int is_reset; /* the other end was closed before it had read all */
    size_t start, used;
    struct queue for_bytes, for_room;
    /* Who is told of bytes and of room; NULL as long as nobody has that end. */
    struct description *reader, *writer;
    enum { PIPE, LOCAL, INTERNET } kind;
    int lacked_room; /* somebody found less room than he wanted, and not all has been read since */
    unsigned char bytes[CAPACITY];
};

struct channel *__selvedge_new_channel(int kind);
/* Inside a step. `may_wait` says whether the thread is enqueued before they return WOULD_WAIT. `peeks`: the bytes stay. */
ssize_t __selvedge_take(struct channel *channel, unsigned char *to, size_t size, int may_wait, int peeks);
/* `is_whole`: up to CAPACITY bytes go at once or not at all. */
ssize_t __selvedge_give(struct channel *channel, const unsigned char *from, size_t size, int may_wait, int is_whole);
/* An end is closed. */
void __selvedge_no_reader(struct channel *channel);
void __selvedge_no_writer(struct channel *channel);

/* SIGPIPE to the running thread. See pipe.c. */
void __selvedge_broken_pipe(void);

#endif
