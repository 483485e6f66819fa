// What is right about variables of blocks that a loop enters again: each has a value of its own, its address can be used
// while it lives, by other threads too, and outlives inner loops.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static void *adds(void *to)
{
    *(int *)to += 1;
    return 0;
}

static int deep(int n, int *outer)
{
    int mine = n, *p = n % 2 ? &mine : outer;
    if (n > 0)
        return deep(n - 1, p) + *p;
    return *outer;
}

static int jumps(void)
{
    jmp_buf back;
    int n = 0;
    for (volatile int i = 0; i < 3; i++) {
        volatile int x = i;
        volatile int *p = &x;
        if (setjmp(back) == 0)
            longjmp(back, 1);
        n += *p == i;
    }
    return n;
}

int main(void)
{
    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct pair {
            int *at;
            int value;
        } pair = {&pair.value, i};
        int row[3], *end = row + 3;
        for (int *p = row; p != end; p++)
            *p = *pair.at;
        int *chosen = __VERIFIER_nondet_int() ? &row[1] : pair.at;
        for (int j = 0; j < 2; j++) {
            int inner = *chosen;
            total += inner;
        }
    }
    assert(total == 6);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        int arg = i;
        pthread_create(&thread, 0, adds, &arg);
        pthread_join(thread, 0);
        assert(arg == i + 1);
    }
    assert(deep(4, &total) == 14);
    assert(jumps() == 3);
    return 0;
}
