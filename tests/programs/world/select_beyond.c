// Descriptors beyond the table of the process are left alone by select: where it ends, beyond 64, is not known.
//@ verdict: safe
//@ rev ignored:
//@ clang[ignored]: -DEXPECTED=1
//@ verdict[ignored]: unsafe(assert)
//@ rev refused:
//@ clang[refused]: -DEXPECTED=-1
//@ verdict[refused]: unsafe(assert)
//@ rev open:
//@ clang[open]: -DOPEN -DEXPECTED=-1
//@ verdict[open]: safe
#include <assert.h>
#include <errno.h>
#include <sys/select.h>
#include <unistd.h>

static int look(int number)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(1, &set);
    FD_SET(number, &set);
    int n = select(number + 1, NULL, &set, NULL, NULL);
    assert(n == 1 ? FD_ISSET(1, &set) && FD_ISSET(number, &set) : n == -1 && errno == EBADF);
    return n;
}

int main(void)
{
    assert(look(63) == -1);
#ifdef OPEN
    dup2(1, 100);
#endif
    int first = look(90);
    assert(look(90) == first);
    if (first == -1)
        assert(look(80) == -1);
#ifdef EXPECTED
    assert(first == EXPECTED);
#endif
    return 0;
}
