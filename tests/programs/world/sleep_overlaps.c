// Another thread may read the clock while this one sleeps, at any time in between.
//@ verdict: unsafe(assert)
#include "../threads/team.h"
#include <assert.h>
#include <time.h>
#include <unistd.h>

static time_t between;

static void *look(void *unused)
{
    between = time(NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    time_t before = time(NULL);
    sleep(2);
    time_t after = time(NULL);
    pthread_join(thread, NULL);
    assert(after >= before + 2);
    assert(!(between == before + 1 && after == before + 2)); //~ BUG!
    return 0;
}
