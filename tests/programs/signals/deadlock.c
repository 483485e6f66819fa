// The handler takes the mutex that the interrupted code holds.
//@ verdict: unsafe(deadlock)
//@ rev plain:
//@ rev blocked:
//@ clang[blocked]: -DBLOCKED
//@ verdict[blocked]: safe
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void on_int(int number)
{
    (void)number;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    signal(SIGINT, on_int);
#ifdef BLOCKED
    sigset_t set;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
#endif
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return 0;
}
