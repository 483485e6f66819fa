// Reading through a null pointer that a failed search returned.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stddef.h>

static int numbers[3] = {4, 5, 6};

static int *find(int wanted)
{
    for (int i = 0; i < 3; i++)
        if (numbers[i] == wanted)
            return &numbers[i];
    return NULL;
}

int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    return *find(wanted) == 0; //~ BUG!
}
