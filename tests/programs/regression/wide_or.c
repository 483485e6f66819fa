// A comparison of an "or" with a constant that lacks its bits is false, at any width.
//@ verdict: unsafe(assert)
#include "../inputs.h"

extern unsigned __int128 __VERIFIER_nondet_uint128(void);
extern void reach_error(void);

int main(void)
{
    unsigned __int128 x = __VERIFIER_nondet_uint128();
    if (x >> 8)
        return 0;
    if ((x | 255) != 128)
        reach_error(); //~ BUG!
    return 0;
}
