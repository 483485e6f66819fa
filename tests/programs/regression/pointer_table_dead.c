// One of the pointers that a symbolic index selects is to a local of a function that has returned.
//@ verdict: unsafe(memory)
#include "../inputs.h"

int *table[2];
int global;

static void leave(void)
{
    int x[4];
    x[0] = 5;
    table[1] = x;
}

static int look(int i)
{
    int y[4];
    y[0] = 3;
    y[1] = i;
    return *table[i] + y[1]; //~ BUG!
}

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    table[0] = &global;
    leave();
    return look(i);
}
