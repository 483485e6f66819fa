// What an atomic section does depends on when it comes. After `main` has changed `action` it does nothing that the other
// thread notices; before that it would, so it makes a difference what the other thread does between. (With source sets the
// steps after the section were not considered when it was moved, and the last assertion seemed to hold.)
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev trees: --reduce dpor
//@ rev sets: --reduce dpor --source-sets
//@ rev ag:
//@ rev ag_sets: --source-sets
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);

static int x, y = 1;

static void set(void) { x = 2; }
static void bump(void) { y = y + 1; }

static void (*_Atomic action)(void) = set;

static void *act_at_once(void *unused)
{
    __VERIFIER_atomic_begin();
    action();
    return unused;
}

static void *act_and_count(void *unused)
{
    action();
    x = x + 1;
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, act_at_once, 0);
    pthread_create(&second, 0, act_and_count, 0);
    action = bump;
    pthread_join(second, 0);
    assert(x != 2);
    return 0;
}
