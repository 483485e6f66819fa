// A name that is an input itself: it may be the file that the program has made, or another one.
//@ verdict: unsafe(assert)
//@ flags: --sym-args 2 --no-files
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argc;
    int fd = open("ab", O_CREAT | O_WRONLY, 0644);
    write(fd, "x", 1);
    char c = 0;
    int other = open(argv[1], O_RDONLY);
    if (other >= 0 && read(other, &c, 1) == 1)
        assert(c != 'x'); //~ BUG! assert
    return 0;
}
