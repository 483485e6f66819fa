// Each thread has its own value of a key; what is left at its end goes to the destructor, again if the destructor sets it
// again.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t block, chain;
static atomic_int n_freed, n_links;

static void release(void *value)
{
    n_freed++;
    free(value);
}

static void unlink_one(void *value)
{
    n_links++;
    intptr_t left = (intptr_t)value - 1;
    if (left > 0)
        pthread_setspecific(chain, (void *)left);
}

static void *use(void *argument)
{
    assert(pthread_getspecific(block) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = number(argument);
    pthread_setspecific(block, mine);
    pthread_setspecific(chain, (void *)2);
    assert(*(int *)pthread_getspecific(block) == number(argument));
    if (number(argument) == 1)
        pthread_exit(0);
    return 0;
}

int main(void)
{
    assert(pthread_key_create(&block, release) == 0);
    assert(pthread_key_create(&chain, unlink_one) == 0);
    run_team(2, use);
    assert(n_freed == 2 && n_links == 4);
    assert(pthread_getspecific(block) == NULL);
    assert(pthread_key_delete(block) == 0);
    return 0;
}
