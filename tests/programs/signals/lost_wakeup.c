// The signal may come between the look at the flag and `pause`, which then waits for ever.
//@ verdict: unsafe(deadlock)
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void on_int(int number)
{
    (void)number;
    stop = 1;
}

int main(void)
{
    signal(SIGINT, on_int);
    while (!stop)
        pause(); //~ BUG! deadlock
    return 0;
}
