// Unsigned arithmetic that wraps around is reported where that is asked for.
//@ verdict: unsafe(unsigned)
//@ flags: --check default,unsigned
//@ rev plus:
//@ clang[plus]: -DPLUS
//@ rev minus:
//@ clang[minus]: -DMINUS
//@ rev times:
//@ clang[times]: -DTIMES
//@ rev sign:
//@ clang[sign]: -DSIGN
#include "../inputs.h"

int main(void)
{
    unsigned a, b;
    SYMBOLIC(a);
    SYMBOLIC(b);
#if defined PLUS
    return a + b > 7; //~ BUG! unsigned
#elif defined MINUS
    return a - b > 7; //~ BUG! unsigned
#elif defined TIMES
    return a * b > 7; //~ BUG! unsigned
#else
    return -a > 7; //~ BUG! unsigned
#endif
}
