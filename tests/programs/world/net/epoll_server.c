// A server around epoll: its clients come when they like, and the wait for the next one is no deadlock.
//@ verdict: safe
//@ flags: --timeout 200
#define _GNU_SOURCE
#include <assert.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), set = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0x901f};
    if (bind(server, (struct sockaddr *)&address, sizeof address) < 0 || listen(server, 5) < 0)
        return 1;
    struct epoll_event event = {.events = EPOLLIN, .data.fd = server};
    epoll_ctl(set, EPOLL_CTL_ADD, server, &event);
    for (;;) {
        int n = epoll_wait(set, &event, 1, -1);
        assert(n == 1);
        if (event.data.fd == server) {
            int s = accept4(server, 0, 0, SOCK_NONBLOCK);
            assert(s >= 0);
            event = (struct epoll_event){.events = EPOLLIN, .data.fd = s};
            epoll_ctl(set, EPOLL_CTL_ADD, s, &event);
            continue;
        }
        char bytes[4];
        ssize_t got = read(event.data.fd, bytes, sizeof bytes);
        assert(got >= 0 && got <= 4);
        if (got == 0)
            close(event.data.fd);
    }
}
