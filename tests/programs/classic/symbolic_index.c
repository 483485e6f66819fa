// Off by one: an index equal to the size passes the check.
//@ verdict: unsafe(memory)
//~ INPUT i=10
#include "../inputs.h"

int main(void)
{
    int squares[10];
    for (int k = 0; k < 10; k++)
        squares[k] = k * k;
    unsigned i;
    klee_make_symbolic(&i, sizeof i, "i");
    if (i <= 10)
        squares[i] = -1; //~ BUG!
    return 0;
}
