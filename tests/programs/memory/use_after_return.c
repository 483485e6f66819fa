// The address of a local variable is used after its function has returned.
//@ verdict: unsafe(memory)
#include "../inputs.h"

static int *where;

static void set(int value)
{
    int local = value;
    where = &local;
}

int main(void)
{
    set(__VERIFIER_nondet_int());
    return *where == 0; //~ BUG!
}
