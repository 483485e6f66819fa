// Addresses of variables of inner blocks and of loop bodies are used only while these live.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static void add(int *to, int x) { *to += x; }

int main(void)
{
    int x = __VERIFIER_nondet_short(), total = 0;
    for (int i = 0; i < 3; i++) {
        int fresh = i;
        int *p = &fresh;
        add(p, x);
        assert(*p == x + i);
        add(&total, fresh);
    }
    {
        int again[2] = {x, 1};
        add(&again[1], again[0]);
        total -= again[1];
    }
    assert(total == 3 * x + 3 - (x + 1));
    return 0;
}
