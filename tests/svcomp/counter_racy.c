// Two threads count without a lock: an increment can get lost.
#include <pthread.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int counter;

void *worker(void *arg)
{
    int old = counter;
    counter = old + 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    int start = __VERIFIER_nondet_int();
    if (start != 41)
        abort();
    counter = start;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (counter != 43)
        reach_error();
    return 0;
}
