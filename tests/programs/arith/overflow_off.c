// Without the property signed arithmetic wraps as the machine does.
//@ verdict: unsafe(assert)
//~ INPUT x=2147483647
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int x;
    SYMBOLIC(x);
    int y = x + 1;
    assert(y > x); //~ BUG!
    return 0;
}
