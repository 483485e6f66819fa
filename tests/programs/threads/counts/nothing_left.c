// All bugs are asked for, and assertions only: a search that is guided by assertions ends when each of them is known to fail.
// One that never fails has to be looked for to the end, and so has everything else that is checked.
//@ verdict: unsafe(assert)
//@ rev dpor: --reduce dpor --all-bugs --check assert
//@ executions[dpor]: total=6
//@ rev ag: --all-bugs --check assert
//@ executions[ag]: total=4
//@ rev all: --all-bugs
//@ executions[all]: total=6
//@ rev another: --all-bugs --check assert
//@ clang[another]: -DANOTHER
//@ executions[another]: total=6
#include "../team.h"
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add_one(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum += 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *add_two(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum += 2;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, add_one, 0);
    pthread_create(&two, 0, add_two, 0);
    pthread_mutex_lock(&mutex);
    assert(sum < 3);
#ifdef ANOTHER
    assert(sum >= 0);
#endif
    pthread_mutex_unlock(&mutex);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
