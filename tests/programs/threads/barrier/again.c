// A barrier in a local variable, in one place twice: the second one knows nothing of the first one's rounds.
// Right after a wait it may be destroyed and its memory used again, though others may still be leaving.
//@ verdict: safe
//@ rev once_more:
//@ clang[once_more]: -DONCE_MORE
//@ verdict[once_more]: unsafe(deadlock)
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct meeting {
    pthread_barrier_t *barrier;
    int first, second;
};

static void *attend(void *argument)
{
    struct meeting *meeting = argument;
    meeting->first = 1;
    pthread_barrier_wait(meeting->barrier);
    assert(meeting->second == 1);
    pthread_barrier_wait(meeting->barrier);
    return NULL;
}

static void meet(void)
{
    pthread_barrier_t barrier;
    pthread_t other;
    struct meeting meeting = {&barrier, 0, 0};
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&other, NULL, attend, &meeting);
    meeting.second = 1;
    pthread_barrier_wait(&barrier);
    assert(meeting.first == 1);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_join(other, NULL);
#ifdef ONCE_MORE
    pthread_barrier_wait(&barrier); //~ BUG!
#endif
}

static void *come_and_go(void *barrier)
{
    pthread_barrier_wait(barrier);
    return NULL;
}

int main(void)
{
    meet();
    meet();

    pthread_t other;
    pthread_barrier_t *barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&other, NULL, come_and_go, barrier);
    pthread_barrier_wait(barrier);
    pthread_barrier_destroy(barrier);
    free(barrier);
    pthread_join(other, NULL);
    return 0;
}
