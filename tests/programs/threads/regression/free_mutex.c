// One thread frees a structure while another may still lock the mutex in it. Neither step touches bytes that the
// other touches.
//@ verdict: unsafe(memory)
//@ flags: --all-bugs
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t mutex;
};

static void *user(void *argument)
{
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->mutex); //~ BUG!
    pthread_mutex_unlock(&shared->mutex); //~ BUG!
    return NULL;
}

int main(void)
{
    struct shared *shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, user, shared);
    free(shared);
    pthread_join(thread, NULL);
    return 0;
}
