// The divisor was checked before.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned char a, b;
    SYMBOLIC(a);
    SYMBOLIC(b);
    if (a == b)
        return 0;
    int q = 100 / (a - b);
    assert(q >= -100 && q <= 100);
    return 0;
}
