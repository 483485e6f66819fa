// A file to be compressed, of SIZE bytes, for pbzip2 (with descriptors) and bzip2smp (with streams); what is written is
// only counted.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <utime.h>

#ifndef SIZE
#define SIZE 4
#endif
enum { INPUT = 3, OUTPUT = 4 };

static size_t position, written;

static size_t take(void *to, size_t size)
{
    if (size > SIZE - position)
        size = SIZE - position;
    for (size_t i = 0; i < size; i++)
        ((char *)to)[i] = "abracadabra"[(position + i) % 11];
    position += size;
    return size;
}

int open(const char *path, int flags, ...)
{
    if (flags & O_CREAT) {
        written = 0;
        return OUTPUT;
    }
    position = 0;
    return INPUT;
}

int close(int descriptor) { return 0; }
ssize_t read(int descriptor, void *to, size_t size) { return take(to, size); }

ssize_t write(int descriptor, const void *from, size_t size)
{
    written += size;
    return size;
}

int fstat(int descriptor, struct stat *to)
{
    *to = (struct stat){.st_mode = S_IFREG | 0600, .st_size = descriptor == INPUT ? SIZE : written};
    return 0;
}

int stat(const char *path, struct stat *to)
{
    return fstat(strstr(path, ".bz2") ? OUTPUT : INPUT, to);
}

int chmod(const char *path, mode_t mode) { return 0; }
int chown(const char *path, uid_t user, gid_t group) { return 0; }
int utime(const char *path, const struct utimbuf *times) { return 0; }

static char streams[8];

FILE *fopen(const char *path, const char *mode) { return (FILE *)(streams + (*mode == 'r' ? INPUT : OUTPUT)); }
int fileno(FILE *stream) { return (char *)stream - streams; }
int isatty(int descriptor) { return 0; }
int feof(FILE *stream) { return position == SIZE; }
size_t fread(void *to, size_t one, size_t n, FILE *stream) { return take(to, n); }

size_t fwrite(const void *from, size_t size, size_t n, FILE *stream)
{
    written += size * n;
    return n;
}
