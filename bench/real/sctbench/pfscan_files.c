// A folder with FILES small files for pfscan: they are found, opened, mapped and searched.
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef FILES
#define FILES 2
#endif

static const char text[] = "int main(void) { return 0; }\n";

int ftw(const char *path, int (*visit)(const char *, const struct stat *, int), int depth)
{
    struct stat folder = {.st_mode = S_IFDIR}, file = {.st_mode = S_IFREG, .st_size = sizeof text - 1};
    int result = visit(path, &folder, FTW_D);
    for (int i = 0; i < FILES && result == 0; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%d.c", path, i);
        result = visit(name, &file, FTW_F);
    }
    return result;
}

int open(const char *path, int flags, ...) { return 3; }
int close(int descriptor) { return 0; }

int fstat(int descriptor, struct stat *to)
{
    *to = (struct stat){.st_mode = S_IFREG, .st_size = sizeof text - 1};
    return 0;
}

void *mmap(void *hint, size_t size, int protection, int flags, int file, off_t offset)
{
    void *copy = malloc(size);
    memcpy(copy, text, size);
    return copy;
}

int munmap(void *start, size_t size)
{
    free(start);
    return 0;
}
