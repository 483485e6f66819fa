// What threads return or exit with reaches those who join them, also from deep inside and from main's own thread.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static void leave(int depth)
{
    if (depth == 0)
        pthread_exit((void *)7);
    leave(depth - 1);
}

static void *exits(void *unused)
{
    leave(3);
    return unused;
}

static void *returns(void *argument)
{
    return (char *)argument + 1;
}

int main(void)
{
    pthread_t threads[2];
    void *results[2];
    char text[] = "ab";
    pthread_create(&threads[0], 0, exits, 0);
    pthread_create(&threads[1], 0, returns, text);
    assert(!pthread_equal(threads[0], threads[1]) && pthread_equal(pthread_self(), pthread_self()));
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], &results[i]) == 0);
    assert(results[0] == (void *)7 && *(char *)results[1] == 'b');
    return 0;
}
