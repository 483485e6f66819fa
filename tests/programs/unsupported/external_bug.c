// A bug that is found in spite of an undefined function on another path.
//@ verdict: unsafe(assert)
//~ INPUT x=-3
#include "../inputs.h"
#include <assert.h>

int measure_voltage(int channel);

int main(void)
{
    int x;
    SYMBOLIC(x);
    if (x > 3)
        return measure_voltage(1) > 5;
    assert(x != -3); //~ BUG!
    return 0;
}
