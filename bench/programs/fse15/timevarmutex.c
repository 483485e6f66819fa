// A block belongs to the allocator or the de-allocator, depending on a flag under another lock.
// Verdict: safe; unsafe with -DUNSAFE, whose allocator does not tell that the block is busy.
// Algorithm: time_var_mutex of SV-COMP's pthread-atomic category, after Flanagan and Freund. Row timevarmutextrue.
// Exercises: protection that changes with time: no one lock guards `block`.
#include "threads.h"

static pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER, busy_lock = PTHREAD_MUTEX_INITIALIZER;
static int inode, busy, block;

static void *allocate(void *unused)
{
    pthread_mutex_lock(&inode_lock);
    if (inode == 0) {
        pthread_mutex_lock(&busy_lock);
#ifndef UNSAFE
        busy = 1;
#endif
        pthread_mutex_unlock(&busy_lock);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&inode_lock);
    return unused;
}

static void *release(void *unused)
{
    pthread_mutex_lock(&busy_lock);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&busy_lock);
    return unused;
}

int main(void)
{
    /* As the flags say: free means that nobody has an inode. */
    inode = busy;
    run_pair(allocate, release);
    return 0;
}
