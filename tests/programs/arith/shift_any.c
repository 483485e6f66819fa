// Where nobody asks for a report, a shift by the width or more gives any value.
//@ verdict: unsafe(assert)
#include <assert.h>
#include "../inputs.h"

int main(void)
{
    unsigned n;
    SYMBOLIC(n);
    if (n > 33)
        return 0;
    unsigned one = 1;
    if (n < 32)
        assert(one << n != 0);
    else
        assert(one << n == one << (n & 31)); //~ BUG! assert
    return 0;
}
