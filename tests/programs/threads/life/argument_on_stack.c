// The argument of each thread is a variable of the loop that starts them: the threads see whatever it holds by then.
//@ verdict: unsafe(assert)
//@ rev shared:
//@ rev own:
//@ clang[own]: -DOWN
//@ verdict[own]: safe
#include "../team.h"
#include <assert.h>

static int seen[2];

static void *note(void *argument)
{
    seen[*(int *)argument]++;
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int own[2] = {0, 1}, i;
    for (i = 0; i < 2; i++) {
#ifdef OWN
        pthread_create(&threads[i], 0, note, &own[i]);
#else
        own[0] = i;
        pthread_create(&threads[i], 0, note, &own[0]);
#endif
    }
    join_team(threads, 2);
    assert(seen[0] == 1 && seen[1] == 1); //~ BUG!
    return 0;
}
