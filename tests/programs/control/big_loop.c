// A million iterations on concrete values, then one symbolic question.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned long long sum = 0;
    unsigned x = 1;
    for (int i = 0; i < 1000000; i++) {
        x = x * 1664525 + 1013904223;
        sum += x >> 16;
    }
    assert(sum > 1000000);
    unsigned y = __VERIFIER_nondet_uint();
    assert((y | x) >= x);
    return 0;
}
