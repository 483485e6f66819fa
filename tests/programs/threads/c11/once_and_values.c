// call_once, thread-specific values with a destructor, thread_local and thrd_exit of C11.
//@ verdict: safe
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static thread_local int mine = 1;
static atomic_int n_released;
static int n_prepared;

static void release(void *value)
{
    n_released++;
    free(value);
}

static void prepare(void)
{
    n_prepared++;
    tss_create(&key, release);
}

static int use(void *unused)
{
    (void)unused;
    call_once(&once, prepare);
    assert(tss_get(key) == NULL);
    tss_set(key, malloc(1));
    mine++;
    thrd_yield();
    thrd_exit(mine);
}

int main(void)
{
    thrd_t threads[2];
    int result;
    for (int i = 0; i < 2; i++)
        thrd_create(&threads[i], use, 0);
    for (int i = 0; i < 2; i++)
        assert(thrd_join(threads[i], &result) == thrd_success && result == 2);
    assert(n_prepared == 1 && n_released == 2 && mine == 1);
    return 0;
}
