// A directory is opened without a mode: O_DIRECTORY is a part of O_TMPFILE, but does not ask for one.
//@ verdict: safe
//@ flags: --no-files
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int here = open("/home/user", O_RDONLY | O_DIRECTORY);
    assert(here >= 0 && openat(here, "..", O_RDONLY | O_DIRECTORY) >= 0);
    assert(open("/dev/null", O_RDONLY | O_DIRECTORY) == -1);
    return 0;
}
