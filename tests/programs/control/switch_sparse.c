// A switch on 64 bits with sparse and negative cases.
// Four cases and the default: five paths.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=5 full=5
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    long long n;
    SYMBOLIC(n);
    int which = 0;
    switch (n) {
    case -1:
        which = 1;
        break;
    case 0x100000000:
        which = 2;
        break;
    case 0:
        which = 3;
        break;
    case INT64_MIN:
        which = 4;
        break;
    }
    long long wanted[5] = {n, -1, 0x100000000, 0, INT64_MIN};
    assert(wanted[which] == n);
    return 0;
}
