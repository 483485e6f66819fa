// Descriptors without a file have no positions on an older Linux; on a newer one they stay at 0, all of them.
//@ verdict: safe
//@ rev plain: --check default
//@ rev old: --check default
//@ clang[old]: -DOLD
//@ verdict[old]: unsafe(assert)
//@ rev new: --check default
//@ clang[new]: -DNEW
//@ verdict[new]: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    int counter = eventfd(0, 0), timer = timerfd_create(CLOCK_MONOTONIC, 0), set = epoll_create1(0);
    off_t at = lseek(counter, 5, SEEK_SET);
    assert(at == 0 || (at == -1 && errno == ESPIPE));
    assert(lseek(timer, 1, SEEK_END) == at && lseek(set, 1, SEEK_CUR) == at);
    assert(lseek(counter, 0, 9) == -1 && errno == EINVAL);
#ifdef OLD
    assert(at == -1); //~ BUG! assert
#endif
#ifdef NEW
    assert(at == 0); //~ BUG! assert
#endif
    return 0;
}
