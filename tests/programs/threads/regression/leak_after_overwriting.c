// Whether memory is lost depends on where pointers lead, about which a summary says nothing.
//@ verdict: unsafe(leak)
//@ rev dpor: --check leak --reduce dpor --all-bugs
//@ rev ag: --check leak --all-bugs
//@ rev no_slice: --check leak --all-bugs --no-slice
#include <pthread.h>
#include <stdlib.h>

static int *block;

static void *forget(void *unused)
{
    block = 0;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, forget, 0);
    block = malloc(4);
    pthread_join(thread, 0);
    return 0; //~ BUG!
}
