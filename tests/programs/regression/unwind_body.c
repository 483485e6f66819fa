// With --unwind 3 the body of a loop runs three times, not a fourth.
//@ verdict: safe(bounded)
//@ flags: --unwind 3
#include "../inputs.h"
#include <assert.h>
#include <string.h>

int main(void)
{
    int n = __VERIFIER_nondet_int(), a = 0, b = 0;
    for (int i = 0; i < n && i != 10; i++) {
        a++;
        assert(a <= 3);
    }
    do {
        b++;
        assert(b <= 3);
    } while (b < n);
    return strlen("longer than three") + strcmp("long texts", "long texts too") > 30;
}
