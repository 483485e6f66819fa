// The one quotient that does not fit.
//@ verdict: unsafe(div)
//~ INPUT a=-2147483648
//~ INPUT b=-1
#include "../inputs.h"

int main(void)
{
    int a, b;
    SYMBOLIC(a);
    SYMBOLIC(b);
    if (b == 0)
        return 0;
    return a / b == 5; //~ BUG!
}
