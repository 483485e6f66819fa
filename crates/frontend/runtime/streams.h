/* What `FILE` is: shared by the units of stdio.
 *
 * Streams hold nothing back: what is written is in the file at once, and no byte is read ahead. A program can see the
 * difference to a stream with a buffer if it goes round the stream (holding.h), and whoever is at the other end of a
 * pipe or a connection can; then the path notes the assumption `world.stdio-unbuffered`.
 */
#ifndef SELVEDGE_STREAMS_H
#define SELVEDGE_STREAMS_H

#include "holding.h"

#include <stdio.h>

/* How many bytes can be put back: one from scanf, and some from the program, which may rely on one only. */
#define MAX_PUSHED 8

struct stream;

/* A stream over memory: see memstream.c. As in world.h, failures are negated error numbers. */
struct memory {
    ssize_t (*read)(struct memory *memory, unsigned char *to, size_t size);
    ssize_t (*write)(struct memory *memory, const unsigned char *from, size_t size);
    long long (*seek)(struct memory *memory, long long offset, int whence);
    void (*flush)(struct memory *memory);
    void (*release)(struct memory *memory);
    int is_the_programs; /* it is the program's own, which can look at it at any time */
};

struct stream {
    int descriptor; /* -1 for a stream over memory */
    unsigned char can_read, can_write;
    unsigned char at_end, failed;
    unsigned char is_standard; /* one of the three, which are no blocks */
    unsigned char is_apart;    /* std::cin is out of step with it */
    unsigned char readers, is_cin; /* then: who has read, and whether std::cin does now */
    int n_pushed;
    unsigned char pushed[MAX_PUSHED];
    unsigned char is_unbuffered;   /* a real one holds nothing back, either */
    unsigned char has_printed;     /* on the console, since it was flushed */
    struct holding holding;
    /* The program's buffer, which is used from now on. See buffering.c. */
    volatile char *given;
    size_t given_size;
    struct memory *memory;
    struct stream *next; /* the list of open streams */
};

/* Those that are not standard. */
extern struct stream *__selvedge_streams;

extern struct stream __selvedge_stdin_file, __selvedge_stdout_file, __selvedge_stderr_file;

static inline struct stream *stream_of(FILE *file) { return (struct stream *)file; }

/* Inside a step: the next byte or EOF; writing all of some bytes, or 0. */
int __selvedge_get(struct stream *s);
int __selvedge_put(struct stream *s, const unsigned char *from, size_t size);
/* What fflush does. */
void __selvedge_flush(struct stream *s);
/* Whether it has written to a file since then. */
static inline int has_written(const struct stream *s) { return s->holding.back != NULL; }

/* Before a stream reads or writes bytes, and when it has, or has been moved: see holding.c. */
enum use { READS, WRITES, SEEKS };
void __selvedge_before_use(struct stream *s, struct description *file, enum use use);
void __selvedge_after_use(struct stream *s, struct description *file, enum use use);
/* A stream holds nothing any more; of what it has read ahead only if it says so. */
void __selvedge_let_go(struct stream *s, int of_read);

/* The buffer that the program gave must still be there. */
static inline void touch_given(struct stream *s)
{
    if (!s->given)
        return;
    s->given[0] = s->given[0];
    s->given[s->given_size - 1] = s->given[s->given_size - 1];
}
/* What fopen and its siblings do, for streams of C++. */
FILE *__selvedge_fopen(const char *path, const char *mode);
int __selvedge_fclose(FILE *file);
int __selvedge_fseek(FILE *file, long long offset, int whence);
long long __selvedge_ftell(FILE *file);
/* The program may change where output goes: links the unit that looks where. */
void __selvedge_output_moves(void);

#endif
