// Two threads increment a counter without a lock. With the right input the lost update is noticed.

#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static int counter;

static void *worker(void *unused)
{
    (void)unused;
    int seen = counter;
    counter = seen + 1;
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    if (__VERIFIER_nondet_int() == 12345)
        assert(counter == 2);
    return 0;
}
