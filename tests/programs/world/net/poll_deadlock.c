// Nobody will ever write.
//@ verdict: unsafe(deadlock)
#include <poll.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    struct pollfd wanted = {.fd = ends[0], .events = POLLIN};
    poll(&wanted, 1, -1); //~ BUG! deadlock
    return 0;
}
