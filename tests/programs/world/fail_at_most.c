// One of two calls may fail, but not both.
//@ rev once: --fail memory,threads --fail-at-most 1
//@ verdict[once]: safe
//@ rev often: --fail memory,threads
//@ verdict[often]: unsafe(assert)
//@ rev memory: --malloc-may-fail
//@ verdict[memory]: safe
#include "../threads/team.h"
#include <assert.h>
#include <stdlib.h>

static void *run(void *unused) { return unused; }

int main(void)
{
    pthread_t thread;
    char *block = malloc(8);
    int error = pthread_create(&thread, NULL, run, NULL);
    if (error == 0)
        pthread_join(thread, NULL);
    assert(block != NULL || error == 0);
    free(block);
    return 0;
}
