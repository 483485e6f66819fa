// The last to let go of a counted object frees it. The decrement orders the free after all that others did, the
// decrements themselves included.
//@ verdict: safe
//@ flags: --check default,race
#include "../team.h"
#include <stdatomic.h>
#include <stdlib.h>

struct counted {
    atomic_int holders;
    int value;
};

static void *holder(void *argument)
{
    struct counted *object = argument;
    if (atomic_fetch_sub(&object->holders, 1) == 1)
        free(object);
    return NULL;
}

int main(void)
{
    struct counted *object = malloc(sizeof *object);
    atomic_init(&object->holders, 2);
    object->value = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, holder, object);
    holder(object);
    pthread_join(thread, NULL);
    return 0;
}
