// A value kept for a thread leads to a local of an earlier call, in the third round only.
//@ command: prove
//@ verdict: unsafe(memory)
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_key_t key;

static void use(int sets)
{
    int local = 0;
    if (sets)
        pthread_setspecific(key, &local);
    for (int i = 0; i < 3; i++) {
    }
    *(int *)pthread_getspecific(key) = 1; //~ BUG!
}

int main(void)
{
    unsigned n = 0;
    pthread_key_create(&key, 0);
    while (__VERIFIER_nondet_int()) {
        use(n != 2);
        n++;
    }
    return 0;
}
