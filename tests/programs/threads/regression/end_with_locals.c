// Where everything is shared, the end of a thread's function and with it of its locals is one step with the end of the thread.
// (A schedule of the steps that matter was replayed with one step too few, and the failure "did not happen".)
//@ flags: --share-everything
//@ verdict: unsafe(assert)
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev no_slice: --no-slice
#include <assert.h>
#include <pthread.h>

static int x, unimportant;

static void *set_one(void *unused)
{
    int locals[2];
    locals[0] = 0;
    locals[1] = 1;
    x = locals[1];
    unimportant = locals[0];
    return unused;
}

static void *set_two(void *unused)
{
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, set_one, 0);
    pthread_create(&two, 0, set_two, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(x == 1);
    return 0;
}
