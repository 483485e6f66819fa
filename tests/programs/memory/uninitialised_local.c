// A local array of which only a part is set: the rest has any value.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

static void set_some(int *levels, int n)
{
    for (int i = 0; i < n; i++)
        levels[i] = 1;
}

int main(void)
{
    int levels[3];
    set_some(levels, 2);
    assert(levels[0] == 1 && levels[1] == 1);
    assert(levels[2] != 42); //~ BUG!
    return 0;
}
