// As on Linux, select leaves in its limit what is left of it: any part, and nothing when time is over.
//@ verdict: safe
//@ rev plain:
//@ rev unchanged:
//@ clang[unchanged]: -DUNCHANGED
//@ verdict[unchanged]: unsafe(assert)
#include <assert.h>
#include <sys/select.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    struct timeval limit = {2, 500000};
    assert(select(ends[0] + 1, &set, NULL, NULL, &limit) == 0);
    assert(limit.tv_sec == 0 && limit.tv_usec == 0);
    assert(write(ends[1], "x", 1) == 1);
    limit = (struct timeval){2, 500000};
    FD_SET(ends[0], &set);
    assert(select(ends[0] + 1, &set, NULL, NULL, &limit) == 1);
    assert(limit.tv_sec >= 0 && limit.tv_usec >= 0 && limit.tv_usec < 1000000);
    assert(limit.tv_sec < 2 || (limit.tv_sec == 2 && limit.tv_usec <= 500000));
#ifdef UNCHANGED
    assert(limit.tv_sec == 2); //~ BUG! assert
#endif
    return 0;
}
