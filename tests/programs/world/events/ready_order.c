// What is ready comes in the order in which it became so, and what does not fit comes first the next time.
//@ verdict: safe
#include <assert.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void)
{
    int set = epoll_create1(0), bells[3];
    uint64_t one = 1;
    struct epoll_event got[3];
    for (int i = 0; i < 3; i++) {
        bells[i] = eventfd(0, 0);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        assert(epoll_ctl(set, EPOLL_CTL_ADD, bells[i], &event) == 0);
    }
    for (int i = 2; i >= 0; i--)
        assert(write(bells[i], &one, 8) == 8);
    assert(epoll_wait(set, got, 2, -1) == 2 && got[0].data.u32 == 2 && got[1].data.u32 == 1);
    assert(epoll_wait(set, got, 2, -1) == 2 && got[0].data.u32 == 0 && got[1].data.u32 == 2);
    assert(epoll_wait(set, got, 1, -1) == 1 && got[0].data.u32 == 1);
    assert(read(bells[2], &one, 8) == 8);
    assert(epoll_wait(set, got, 3, 0) == 2 && got[0].data.u32 == 0 && got[1].data.u32 == 1);
    return 0;
}
