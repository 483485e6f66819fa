// What a stream holds back, or has read ahead, can be seen by going round it; after fflush it cannot.
//@ verdict: safe
//@ rev stat:
//@ clang[stat]: -DSTAT
//@ assumes[stat]: world.file-facts world.io-succeeds world.memory-succeeds world.stdio-unbuffered world.umask
//@ rev cut:
//@ clang[cut]: -DCUT
//@ assumes[cut]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev emptied:
//@ clang[emptied]: -DEMPTIED
//@ assumes[emptied]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev second:
//@ clang[second]: -DSECOND
//@ assumes[second]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev closed:
//@ clang[closed]: -DCLOSED
//@ assumes[closed]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev stale:
//@ clang[stale]: -DSTALE
//@ assumes[stale]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev printed:
//@ clang[printed]: -DPRINTED
//@ assumes[printed]: world.file-facts world.io-succeeds world.memory-succeeds world.stdio-unbuffered world.umask
//@ rev flushed:
//@ clang[flushed]: -DFLUSHED
//@ assumes[flushed]: world.file-facts world.io-succeeds world.memory-succeeds world.umask
//@ rev unbuffered:
//@ clang[unbuffered]: -DUNBUFFERED
//@ assumes[unbuffered]: world.file-facts world.io-succeeds world.memory-succeeds world.umask
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long size(int fd)
{
    struct stat facts;
    assert(fstat(fd, &facts) == 0);
    return facts.st_size;
}

int main(void)
{
    FILE *f = fopen("f", "w+");
    char buf[8];
    (void)buf;
    assert(f);
#ifdef STAT
    fputs("abc", f);
    assert(size(fileno(f)) == 3);
#elif defined CUT
    fputs("abc", f);
    assert(ftruncate(fileno(f), 1) == 0);
    fclose(f);
    f = fopen("f", "r");
    assert(fgetc(f) == 'a' && fgetc(f) == EOF);
#elif defined EMPTIED
    fputs("abc", f);
    close(open("f", O_WRONLY | O_TRUNC));
    fclose(f);
    f = fopen("f", "r");
    assert(fgetc(f) == EOF);
#elif defined SECOND
    fputs("abc", f);
    FILE *g = fopen("f", "r");
    assert(fgetc(g) == 'a');
    fclose(g);
#elif defined CLOSED
    fputs("abc", f);
    close(fileno(f));
    int fd = open("f", O_RDONLY);
    assert(read(fd, buf, 8) == 3);
#elif defined STALE
    fputs("abc", f);
    rewind(f);
    assert(fgetc(f) == 'a');
    int fd = open("f", O_WRONLY);
    assert(pwrite(fd, "X", 1, 1) == 1 && close(fd) == 0);
    assert(fgetc(f) == 'X');
#elif defined PRINTED
    printf("before");
    dup2(fileno(f), 1);
    fflush(stdout);
    assert(size(fileno(f)) == 0);
#else
#ifdef UNBUFFERED
    setvbuf(f, NULL, _IONBF, 0);
#define fflush(f) 0
#endif
    fputs("abc", f);
    fflush(f);
    assert(size(fileno(f)) == 3);
    assert(ftruncate(fileno(f), 2) == 0);
    int fd = open("f", O_RDWR);
    assert(read(fd, buf, 8) == 2 && memcmp(buf, "ab", 2) == 0);
    rewind(f);
    assert(fgetc(f) == 'a');
    fflush(f);
    assert(pwrite(fd, "X", 1, 1) == 1);
    assert(fgetc(f) == 'X');
    close(fd);
    printf("before");
    (void)(fflush)(stdout);
    dup2(fileno(f), 1);
#endif
    fclose(f);
    return 0;
}
