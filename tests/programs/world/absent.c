// A file may be absent, or present: both are explored, and the same name has the same answer again.
//@ verdict: safe
//@ flags: --check default
//@ executions: total=2
//@ assumes: world.file-bound world.io-succeeds
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    int first = open("data", O_RDONLY), error = errno;
    int second = open("./data", O_RDONLY);
    assert((first < 0) == (second < 0));
    assert(first < 0 ? error == ENOENT && errno == ENOENT : first == 3 && second == 4);
    return 0;
}
