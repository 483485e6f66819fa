// One thread makes an object, then others write to it without any order between them.
// Verdict: unsafe (the last writer need not be the expected one); safe with -DSAFE.
// Algorithm: singleton of SV-COMP's pthread category. Row singletonfalse.
// Exercises: heap shared by pointer, a thread that starts threads.
#include "threads.h"
#include <stdlib.h>

static char *object;

static void *make(void *unused)
{
    object = malloc(sizeof *object);
    return unused;
}

static void *write_x(void *unused)
{
    *object = 'X';
    return unused;
}

static void *write_y(void *unused)
{
    *object = 'Y';
    return unused;
}

static void *manage(void *unused)
{
    pthread_t maker, writers[4];
    start(&maker, 1, 0, make);
    join(&maker, 1);
    start(&writers[0], 1, 0, write_x);
    start(&writers[1], 1, 0, write_y);
    start(&writers[2], 1, 0, write_y);
    start(&writers[3], 1, 0, write_x);
    join(writers, 4);
    return unused;
}

int main(void)
{
    pthread_t manager;
    start(&manager, 1, 0, manage);
    join(&manager, 1);
#ifdef SAFE
    assert(*object == 'X' || *object == 'Y');
#else
    assert(*object == 'X');
#endif
    free(object);
    return 0;
}
