// A loop that sleeps until a flag is set ends when the signal comes; if none can come it never does.
//@ verdict: safe
//@ rev plain:
//@ rev nano:
//@ clang[nano]: -DNANO
//@ rev poll:
//@ clang[poll]: -DPOLL
//@ rev none: --signals 0
//@ verdict[none]: unsafe(livelock)
//@ rev none_nano: --signals 0
//@ clang[none_nano]: -DNANO
//@ verdict[none_nano]: unsafe(livelock)
#include <poll.h>
#include <signal.h>
#include <time.h>
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
    while (!stop) { //~ BUG! livelock
#if defined NANO
        struct timespec time = {0, 1000};
        while (nanosleep(&time, &time) < 0)
            ;
#elif defined POLL
        poll(NULL, 0, 100);
#else
        sleep(1);
#endif
    }
    return 0;
}
