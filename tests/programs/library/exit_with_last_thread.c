// Where the program ends with its last thread, that thread would call the handlers: this is not followed.
//@ verdict: unknown
//@ reason: ends with its last thread
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void at_end(void) { assert(x == 0); }

int main(void)
{
    atexit(at_end);
    x = 1;
    pthread_exit(0);
}
