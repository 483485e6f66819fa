// A value kept for a thread leads to a local of a function that has returned; another local lies at the same address.
// A state in which it leads to that one is not the same state.
//@ verdict: unsafe(memory)
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void use(int sets)
{
    int local = 0;
    if (sets)
        pthread_setspecific(key, &local);
    pthread_mutex_lock(&mutex);
    *(int *)pthread_getspecific(key) = 1; //~ BUG!
    pthread_mutex_unlock(&mutex);
}

static void *other(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, 0);
    pthread_create(&thread, 0, other, 0);
    use(1);
    use(__VERIFIER_nondet_int() ? 1 : 0);
    pthread_join(thread, 0);
    return 0;
}
