// Passing a struct from a symbolic place forks before the copy is made, so that replay numbers objects alike.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

struct wide {
    long a[4];
};
static struct wide table[4];

static long first(struct wide s)
{
    return s.a[0];
}

static void look(int *p)
{
    assert(*p != 7); //~ BUG!
}

static void uninitialised(void)
{
    int u;
    look(&u);
}

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    long r = first(table[i]);
    uninitialised();
    return (int)r;
}
