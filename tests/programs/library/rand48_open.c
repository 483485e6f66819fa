// Without a seed, and with any seed, each number is possible.
//@ rev unseeded:
//@ verdict[unseeded]: unsafe(assert)
//@ rev any_seed:
//@ clang[any_seed]: -DSEED
//@ verdict[any_seed]: unsafe(assert)
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

int main(void)
{
#ifdef SEED
    srand48(__VERIFIER_nondet_long());
#endif
    double fraction = drand48();
    long number = lrand48();
    assert(fraction >= 0 && fraction < 1);
    assert(number >= 0 && number <= 0x7fffffff);
    assert(number != 123456789); //~ BUG!
    return 0;
}
