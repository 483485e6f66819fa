// Iterations that leave something behind which is neither in memory nor in a register, and so are no waits: another lock is held
// than before, a mutex whose owner has died was given back, a mapping is gone.
//@ verdict: unsafe(assert)
//@ rev locks_none: --reduce none
//@ clang[locks_none]: -DLOCKS
//@ rev locks:
//@ clang[locks]: -DLOCKS
//@ rev shares:
//@ clang[shares]: -DSHARES
//@ rev robust_none: --reduce none
//@ clang[robust_none]: -DROBUST
//@ rev robust:
//@ clang[robust]: -DROBUST
//@ rev consistent:
//@ clang[consistent]: -DROBUST -DCONSISTENT
//@ rev mapping:
//@ clang[mapping]: -DMAPPING
//@ verdict[mapping]: unsafe(memory)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int stop;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER, robust;
static pthread_rwlock_t left = PTHREAD_RWLOCK_INITIALIZER, right = PTHREAD_RWLOCK_INITIALIZER;

#if defined LOCKS
static void *go_round(void *unused)
{
    pthread_mutex_lock(&second);
    while (!stop) {
        if (pthread_mutex_trylock(&first) == 0)
            pthread_mutex_unlock(&second);
        else
            assert(!"reached in the second round");
    }
    return unused;
}
#elif defined SHARES
static void *go_round(void *unused)
{
    pthread_rwlock_rdlock(&right);
    while (!stop) {
        if (pthread_rwlock_trywrlock(&left) == 0)
            pthread_rwlock_unlock(&right);
        else
            assert(!"reached in the second round");
    }
    return unused;
}
#elif defined ROBUST
static void *go_round(void *unused)
{
    while (!stop) {
        int code = pthread_mutex_lock(&robust);
#ifdef CONSISTENT
        if (code == EOWNERDEAD)
            pthread_mutex_consistent(&robust);
        else
            assert(!"reached in the second round");
#else
        assert(code != ENOTRECOVERABLE);
#endif
        pthread_mutex_unlock(&robust);
    }
    return unused;
}
#else
static void *go_round(void *unused)
{
    volatile int *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int n_rounds = 0;
    while (!stop) {
        if (n_rounds < 6) {
            n_rounds++;
            continue;
        }
        (void)*page;
        munmap((void *)page, 4096);
    }
    return unused;
}
#endif

static void *die(void *unused)
{
    pthread_mutex_lock(&robust);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, die, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, go_round, 0);
    pthread_join(thread, 0);
    return 0;
}
