// A thread that waits for a time and for nothing else.
//@ verdict: safe
#include <assert.h>
#include <time.h>

int main(void)
{
    time_t end = time(NULL) + 5;
    while (time(NULL) < end)
        ;
    assert(time(NULL) >= end);
    return 0;
}
