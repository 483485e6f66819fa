// What standard streams are is taken for granted when a program looks; with failures, also when a number is given out.
//@ verdict: safe
//@ rev kind:
//@ clang[kind]: -DKIND
//@ assumes[kind]: world.standard-streams
//@ rev terminal:
//@ assumes[terminal]: nothing
//@ executions[terminal]: total=2
//@ rev number: --fail io --no-files
//@ clang[number]: -DNUMBER
//@ assumes[number]: world.signals-bound world.standard-streams
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
#if defined(KIND)
    assert(lseek(0, 0, SEEK_CUR) == -1 && errno == ESPIPE);
#elif defined(NUMBER)
    int fd = open("new", O_CREAT | O_WRONLY, 0600);
    assert(fd != 0);
#else
    if (isatty(0))
        return 1;
#endif
    return 0;
}
