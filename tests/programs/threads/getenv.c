// Two threads ask for a variable at the same time: no race, and the same answer.
//@ verdict: safe
//@ flags: --check default,race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char *found[2];

static void *ask(void *slot)
{
    *(char **)slot = getenv("HOME");
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, ask, &found[0]);
    ask(&found[1]);
    pthread_join(other, NULL);
    assert(found[0] == found[1]);
    return 0;
}
