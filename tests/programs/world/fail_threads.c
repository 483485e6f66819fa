// With --fail threads a thread may not start, and a lock not be made.
//@ rev default:
//@ verdict[default]: safe
//@ rev fails: --fail threads
//@ verdict[fails]: unsafe(assert)
//@ rev never: --fail threads --fail-at-most 0
//@ verdict[never]: safe
#include "../threads/team.h"
#include <assert.h>
#include <errno.h>

static void *run(void *unused) { return unused; }

int main(void)
{
    pthread_t thread;
    pthread_mutex_t mutex;
    int error = pthread_mutex_init(&mutex, NULL);
    assert(error == 0 || error == ENOMEM || error == EAGAIN);
    error = pthread_create(&thread, NULL, run, NULL);
    assert(error == 0 || error == EAGAIN);
    if (error == 0)
        pthread_join(thread, NULL);
    assert(error == 0);
    return 0;
}
