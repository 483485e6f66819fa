// A loop without an end that writes what no assertion depends on: the search, which leaves such steps out, sees a thread
// that spins; executed again with all its steps, the loop goes on for ever.
//@ verdict: unknown
//@ reason: the execution that shows it comes to no end
#include <pthread.h>

static int x, z;

static void *other(void *unused)
{
    (void)unused;
    if (z != 2)
        x = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int before = x;
    for (int i = 0; i < 2; i *= 1)
        z = x + before;
    return 0;
}
