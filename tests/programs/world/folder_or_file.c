// A name that is first met as a folder on the way may be a file all the same.
//@ verdict: unsafe(assert)
//@ flags: --check assert
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char c;
    int fd = open("settings/main", O_RDONLY);
    if (fd >= 0)
        return 0;
    int is_file = errno == ENOTDIR;
    fd = open("settings", O_RDONLY);
    if (fd < 0 || read(fd, &c, 1) != 1)
        return 0;
    assert(!is_file || c != 37); //~ BUG! assert
    return 1;
}
