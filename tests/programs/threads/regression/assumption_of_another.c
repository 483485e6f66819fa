// One thread assumes what another asserts. The assertion fails where it comes before the assumption, although
// reading the variable twice commutes: the side on which the assumption fails must be looked at.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int x;

static void *assumes(void *arg) {
    __VERIFIER_assume(x < 10);
    return arg;
}
static void *asserts(void *arg) {
    assert(x < 10); //~ BUG!
    return arg;
}

int main(void) {
    pthread_t t, u;
    x = __VERIFIER_nondet_int();
    pthread_create(&t, 0, assumes, 0);
    pthread_create(&u, 0, asserts, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
