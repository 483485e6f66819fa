// What prints may change errno although it succeeds: a program that reads it afterwards relies on a choice.
//@ verdict: safe
//@ flags: --no-files
//@ rev after:
//@ clang[after]: -DAFTER
//@ assumes[after]: library.errno-kept
//@ rev before:
//@ assumes[before]: nothing
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    assert(open("there is no such file", O_RDONLY) < 0);
#ifdef AFTER
    puts("it cannot be opened");
    assert(errno == ENOENT);
#else
    assert(errno == ENOENT);
    puts("it cannot be opened");
    errno = 0;
    assert(errno == 0);
    puts("again");
    assert(open("", O_RDONLY) < 0 && errno == ENOENT);
#endif
    return 0;
}
