// The remainder of the same pair traps as well.
//@ verdict: unsafe(div)
//~ INPUT a=-9223372036854775808
#include "../inputs.h"

int main(void)
{
    long long a, minus_one = -1;
    SYMBOLIC(a);
    return a % minus_one != 0; //~ BUG!
}
