// Threads count in inline assembly. A locked instruction is one step, as the atomic operation of C is; without the
// prefix it is a read and a write, between which others come.
//@ rev assembly: --reduce dpor
//@ verdict[assembly]: safe
//@ executions[assembly]: total=6 full=6 blocked=0
//@ rev builtin: --reduce dpor
//@ clang[builtin]: -DBUILTIN
//@ verdict[builtin]: safe
//@ executions[builtin]: total=6 full=6 blocked=0
//@ rev ag:
//@ verdict[ag]: safe
//@ rev plain:
//@ clang[plain]: -DPLAIN
//@ verdict[plain]: unsafe(assert)
//@ rev race: --check race
//@ verdict[race]: safe
//@ rev race_plain: --check race
//@ clang[race_plain]: -DPLAIN
//@ verdict[race_plain]: unsafe(race)
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *unused)
{
#if defined(BUILTIN)
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
#elif defined(PLAIN)
    __asm__ volatile("incl %0" : "+m"(counter) : : "cc");
#else
    __asm__ volatile("lock; incl %0" : "+m"(counter) : : "memory", "cc");
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, count, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(counter == 3);
    return 0;
}
