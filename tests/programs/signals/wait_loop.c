// A loop that waits for a signal ends when it comes; if none can come it never does.
//@ verdict: safe
//@ rev plain:
//@ rev none: --signals 0
//@ verdict[none]: unsafe(livelock)
#include <signal.h>

static volatile sig_atomic_t stop;

static void on_int(int number)
{
    (void)number;
    stop = 1;
}

int main(void)
{
    signal(SIGINT, on_int);
    while (!stop) //~ BUG! livelock
        ;
    return 0;
}
