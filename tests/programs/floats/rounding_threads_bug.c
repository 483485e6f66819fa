// What decides the rounding mode decides what arithmetic gives: another thread's write of a flag matters.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <fenv.h>
#include <pthread.h>

static volatile double one = 1, three = 3;
static int flag;
static double third;

static void *divides(void *unused)
{
    if (flag)
        fesetround(FE_UPWARD);
    third = one / three;
    return unused;
}

static void *sets(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, divides, 0);
    pthread_create(&b, 0, sets, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(third == 1.0 / 3.0); //~ BUG!
    return 0;
}
