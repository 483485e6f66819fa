// With --clock fixed time passes by sleeping only; without, any time may pass between two readings.
//@ rev open:
//@ verdict[open]: unsafe(assert)
//@ rev fixed: --clock fixed
//@ verdict[fixed]: safe
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t start = time(NULL);
    sleep(3);
    assert(time(NULL) == start + 3);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec == 946684803 && now.tv_nsec == 0);
    return 0;
}
