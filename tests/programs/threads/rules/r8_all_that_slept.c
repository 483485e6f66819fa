// A state is covered but for two threads that slept when its summary was made. To try one of them is not enough, and to go by
// races from there on neither: what the other one begins may be taken for something that `main` begins, because the next step of
// `main` commutes with it, but what `main` begins is covered only where neither of the two could have come first. `adder` must
// come between the last two steps of `main`. (Shown with source sets.)
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag:
//@ rev ag_sets: --source-sets
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static int y = 1;

static void *adder(void *unused)
{
    y = y + 2;
    y = 1;
    return unused;
}

static void *setter(void *unused)
{
    y = 0;
    pthread_mutex_lock(&own);
    y = 1;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, adder, 0);
    pthread_create(&two, 0, setter, 0);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(two, 0);
    y = 2;
    assert(y != 4);
    return 0;
}
