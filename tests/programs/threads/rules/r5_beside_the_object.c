// R5: two pointers have the same address. One leads to the array that lies there, the other has left the array before it. Nobody
// looks at what is read, so that it is no event of a slice where.
//@ verdict: unsafe(memory)
//@ flags: --all-bugs
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int before[4], after[4], *base;
static long index_;

static void *leave_one(void *unused)
{
    __VERIFIER_atomic_begin();
    base = before;
    index_ = ((long)after - (long)before) / (long)sizeof(int);
    __VERIFIER_atomic_end();
    return unused;
}

static void *take_the_other(void *unused)
{
    __VERIFIER_atomic_begin();
    base = after;
    index_ = 0;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, leave_one, 0);
    pthread_create(&threads[1], 0, take_the_other, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    base[index_] = 1; //~ BUG!
    return 0;
}
