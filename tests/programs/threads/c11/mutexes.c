// The threads of C11: mutexes of all kinds, results of threads, and the errors they report.
//@ verdict: safe
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static int counter;

static int add(void *amount)
{
    mtx_lock(&plain);
    counter += *(int *)amount;
    mtx_unlock(&plain);
    return *(int *)amount;
}

static int try_it(void *mutex)
{
    return mtx_trylock(mutex);
}

int main(void)
{
    thrd_t threads[2];
    int amounts[2] = {3, 4}, results[2];
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    for (int i = 0; i < 2; i++)
        assert(thrd_create(&threads[i], add, &amounts[i]) == thrd_success);
    assert(!thrd_equal(threads[0], threads[1]) && !thrd_equal(threads[0], thrd_current()));
    for (int i = 0; i < 2; i++)
        assert(thrd_join(threads[i], &results[i]) == thrd_success && results[i] == amounts[i]);
    assert(counter == 7);
    mtx_destroy(&plain);

    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success && mtx_lock(&recursive) == thrd_success);
    thrd_create(&threads[0], try_it, &recursive);
    thrd_join(threads[0], &results[0]);
    assert(results[0] == thrd_busy);
    assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);

    struct timespec until = {.tv_sec = 1};
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_timedlock(&timed, &until) == thrd_success);
    assert(mtx_unlock(&timed) == thrd_success);
    return 0;
}
