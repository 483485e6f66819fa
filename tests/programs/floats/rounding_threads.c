// A thread inherits the rounding mode of its creator, and has one of its own from then on.
//@ verdict: safe
#include <assert.h>
#include <fenv.h>
#include <pthread.h>

static volatile double one = 1, three = 3;
static double up, own;

static void *other(void *unused)
{
    up = one / three;
    fesetround(FE_DOWNWARD);
    own = one / three;
    return unused;
}

int main(void)
{
    pthread_t thread;
    fesetround(FE_UPWARD);
    pthread_create(&thread, 0, other, 0);
    fesetround(FE_TONEAREST);
    double near = one / three;
    pthread_join(thread, 0);
    assert(fegetround() == FE_TONEAREST);
    assert(own < up && own <= near && near <= up);
    return 0;
}
