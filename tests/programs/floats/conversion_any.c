// A conversion that does not fit gives any value, the same for numbers that are known and for those that are not.
//@ verdict: unsafe(assert)
//@ rev known:
//@ rev open:
//@ clang[open]: -DOPEN
//@ rev negative:
//@ clang[negative]: -DNEGATIVE
#include <assert.h>
#include "../inputs.h"

int main(void)
{
#if defined OPEN
    double d;
    SYMBOLIC(d);
    if (!(d >= 1e10 && d <= 1e11))
        return 0;
    assert((int)d == -2147483647 - 1); //~ BUG! assert
#elif defined NEGATIVE
    double d = -1.5;
    assert((unsigned)d == 0xffffffffu); //~ BUG! assert
#else
    double d = 1e10;
    assert((int)d == -2147483647 - 1); //~ BUG! assert
#endif
    return 0;
}
