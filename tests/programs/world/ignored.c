// A program that does not look at a file is not split over what it holds; neither is one that only writes.
//@ verdict: safe
//@ flags: --sym-file list=4
//@ executions: total=1
//@ assumes: world.io-succeeds
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int log = open("log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert(log == 3 && out == 4 && write(log, "a", 1) == 1 && write(out, "b", 1) == 1);
    char buf[4];
    int in = open("list", O_RDONLY);
    assert(in == 5 && lseek(in, 2, SEEK_SET) == 2 && lseek(in, 0, SEEK_CUR) == 2 && sizeof buf == 4);
    return 0;
}
