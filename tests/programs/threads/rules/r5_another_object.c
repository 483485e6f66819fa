// R5: two pointers have the same address. One leads to a local of a function that has returned, the other to a local that
// lies where it lay.
//@ verdict: unsafe(memory)
//@ flags: --all-bugs
#include <pthread.h>

static int *old, *selected, *copy;

static void *select_old(void *unused)
{
    selected = old;
    return unused;
}

static void *select_new(void *it)
{
    selected = it;
    return 0;
}

static void first(void)
{
    int gone = 0;
    old = &gone;
}

static void second(void)
{
    int here = 0;
    pthread_t threads[2];
    pthread_create(&threads[0], 0, select_old, 0);
    pthread_create(&threads[1], 0, select_new, &here);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    copy = selected;
    *copy = 1; //~ BUG!
}

int main(void)
{
    first();
    second();
    return 0;
}
