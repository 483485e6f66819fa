/* /dev/null, /dev/zero, /dev/random. See world.h. */
#include "world.h"

#include <string.h>

static ssize_t no_bytes(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)file, (void)to, (void)size, (void)at;
    return 0;
}

static ssize_t zeros(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)file, (void)at;
    memset(to, 0, size);
    return (ssize_t)size;
}

static ssize_t any_bytes(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)file, (void)at;
    if (size > 0)
        __selvedge_file_input(to, size, "/dev/random", 11, CONTENT_OF_FILE);
    return (ssize_t)size;
}

static ssize_t swallow(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)file, (void)from, (void)at;
    return (ssize_t)size;
}

static long long no_end(struct description *file) { return (void)file, 0; }

static int device_facts(struct description *file, struct facts *facts)
{
    __selvedge_facts(file->node, facts);
    return 0;
}

#define DEVICE(name, reader)                                                                                           \
    WEAK const struct operations name = {                                                                              \
        .read = reader,                                                                                                \
        .write = swallow,                                                                                              \
        .end = no_end,                                                                                                 \
        .facts = device_facts,                                                                                         \
    }

DEVICE(__selvedge_null_kind, no_bytes);
DEVICE(__selvedge_zero_kind, zeros);
DEVICE(__selvedge_random_kind, any_bytes);
