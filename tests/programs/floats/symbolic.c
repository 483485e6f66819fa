// A symbolic float: adding one to a number between zero and one million.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0.0f && x <= 1000000.0f);
    float y = x + 1.0f;
    assert(y > x);
    assert(y >= 1.0f && y <= 1000001.0f);
    return 0;
}
