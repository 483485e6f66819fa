// The files that SCTBench's aget reads instead of sockets, and the one it writes: an answer of a web server of LENGTH
// bytes for each of two threads.
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#ifndef LENGTH
#define LENGTH 17574
#endif
#define DESCRIPTORS 16

static const char header[] = "HTTP/1.1 206 Partial Content\r\n\r\n";

static int n_open = 3;
static int is_answer[DESCRIPTORS];
static size_t position[DESCRIPTORS];

/* aget does not expect a user without an entry. */
struct passwd *getpwuid(uid_t user)
{
    static struct passwd somebody = {.pw_name = "somebody", .pw_dir = "/"};
    return &somebody;
}

static int new_descriptor(int answer)
{
    int descriptor = n_open++;
    is_answer[descriptor] = answer;
    return descriptor;
}

int open(const char *path, int flags, ...) { return new_descriptor(!(flags & O_CREAT)); }
int dup(int descriptor) { return new_descriptor(is_answer[descriptor]); }
int close(int descriptor) { return 0; }
off_t lseek(int descriptor, off_t offset, int from) { return offset; }
ssize_t write(int descriptor, const void *from, size_t n) { return (ssize_t)n; }
ssize_t pwrite(int descriptor, const void *from, size_t n, off_t offset) { return (ssize_t)n; }

ssize_t read(int descriptor, void *to, size_t n)
{
    size_t at = position[descriptor], header_length = sizeof header - 1, end = header_length + LENGTH;
    if (n > end - at)
        n = end - at;
    memset(to, 'x', n);
    for (size_t i = at; i < header_length && i < at + n; i++)
        ((char *)to)[i - at] = header[i];
    position[descriptor] += n;
    return (ssize_t)n;
}
