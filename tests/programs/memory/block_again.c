// A loop enters a block again: its variable is a new one, and a pointer to the last one leads nowhere, whether it is kept
// in memory, in a register, in an element of the variable's own array, or by another thread.
//@ rev global:
//@ rev register:
//@ rev element:
//@ rev select:
//@ rev goto:
//@ rev thread:
//@ rev sliced:
//@ rev compare:
//@ clang[global]: -DGLOBAL
//@ clang[register]: -DREGISTER
//@ clang[element]: -DELEMENT
//@ clang[select]: -DSELECT
//@ clang[goto]: -DGOTO
//@ clang[thread]: -DTHREAD
//@ clang[sliced]: -DSLICED
//@ clang[compare]: -DCOMPARE
//@ verdict: unsafe(memory)
//@ verdict[compare]: safe
//@ assumes[compare]: layout.reuse
#include "../inputs.h"
#include <pthread.h>

static int *kept;
static volatile int flag;

static void *reads(void *unused)
{
    (void)unused;
    return (void *)(long)*kept;
}

static void *keeps(void *unused)
{
    int y = 0, *last = &y;
    for (int i = 0; i < 2; i++) {
        int x = i;
        *last = 4;
        last = flag ? &x : &y;
    }
    return unused;
}

int main(void)
{
#if defined GLOBAL
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 1)
            return *kept;
        x = 5;
        kept = &x;
    }
#elif defined REGISTER
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (last && *last > 5)
            return 1;
        last = &x;
    }
#elif defined ELEMENT
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int x[4] = {i, 1, 2, 3};
        if (last)
            last[-1] = 7;
        last = &x[__VERIFIER_nondet_int() & 3];
    }
#elif defined SELECT
    int y = 0, *last = &y;
    for (int i = 0; i < 3; i++) {
        int x = i;
        *last = 4;
        last = __VERIFIER_nondet_int() ? &x : &y;
    }
#elif defined GOTO
    int i = 0, *last = 0;
again : {
    int x = i;
    if (last)
        *last = 1;
    last = &x;
    if (i++ < 2)
        goto again;
}
#elif defined THREAD
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (i == 0) {
            kept = &x;
            pthread_create(&thread, 0, reads, 0);
        }
    }
    pthread_join(thread, 0);
#elif defined SLICED
    pthread_t thread;
    pthread_create(&thread, 0, keeps, 0);
    flag = 1;
    flag = 0;
    pthread_join(thread, 0);
#else
    int n_same = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        n_same += kept == &x;
        kept = &x;
    }
    return n_same > 2;
#endif
    return 0;
}
