// One thread frees what the other may still use. Whoever joins first makes it safe.
//@ verdict: unsafe(memory)
//@ rev early:
//@ rev joined:
//@ clang[joined]: -DJOINED
//@ verdict[joined]: safe
#include "../team.h"
#include <stdlib.h>

static void *use(void *block)
{
    *(int *)block = 1; //~ BUG!
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *block = malloc(sizeof *block);
    pthread_create(&thread, 0, use, block);
#ifdef JOINED
    pthread_join(thread, 0);
    free(block);
#else
    free(block);
    pthread_join(thread, 0);
#endif
    return 0;
}
