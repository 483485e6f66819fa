// C++ leaves the order of arguments and of the operands of + open, but not of those of <<.
//@ verdict: safe
//@ assumes: language.evaluation-order
#include <cassert>

static int counter;

static int next() { return ++counter; }

int main()
{
    assert(next() * 2 + next() == 4);
    return 0;
}
