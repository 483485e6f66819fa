// The order in which operands and arguments are computed is open in C; each of these functions is one way to tell it.
//@ verdict: safe
//@ assumes: language.evaluation-order
#include <assert.h>

static int counter;

static int next(void) { return ++counter; }
static int both(int a, int b) { return a * 10 + b; }

int main(void)
{
    assert(both(next(), next()) == 12);
    assert(counter + next() == 5);
    return 0;
}
