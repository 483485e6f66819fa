// Threads whose functions end without a `return`, as many do: what they return is undefined, and nobody asks for it. That must
// not keep states apart. With ASKED the undefined result decides.
//@ verdict: safe
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=120 full=120
//@ rev ag:
//@ executions[ag]: total=50
//@ rev asked: --reduce ag
//@ clang[asked]: -DASKED
//@ verdict[asked]: unsafe(assert)
//@ rev asked_dpor: --reduce dpor
//@ clang[asked_dpor]: -DASKED
//@ verdict[asked_dpor]: unsafe(assert)
#include <assert.h>
#include <pthread.h>

#define N 5

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

#pragma clang diagnostic ignored "-Wreturn-type"
static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t team[N];
    void *result = 0;
    for (int i = 0; i < N; i++)
        pthread_create(&team[i], 0, add, 0);
    for (int i = 0; i < N; i++)
        pthread_join(team[i], &result);
    assert(count == N);
#ifdef ASKED
    assert(result != (void *)5);
#endif
    return 0;
}
