// Static locals keep their value between calls and start with their initialiser.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static int next(int step)
{
    static int total = 100;
    static int *where = &total;
    *where += step;
    return total;
}

static int *cell(void)
{
    static int value;
    return &value;
}

int main(void)
{
    signed char a, b;
    SYMBOLIC(a);
    SYMBOLIC(b);
    next(a);
    assert(next(b) == 100 + a + b);
    *cell() = a;
    assert(cell() == cell() && *cell() == a);
    return 0;
}
