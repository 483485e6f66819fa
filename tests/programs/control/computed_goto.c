// Computed goto: a small interpreter that jumps through a table of labels.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static int run(const unsigned char *code, int x)
{
    static const void *const labels[] = {&&stop, &&increment, &&twice, &&negate};
    goto *labels[*code];
increment:
    x++;
    goto *labels[*++code];
twice:
    x *= 2;
    goto *labels[*++code];
negate:
    x = -x;
    goto *labels[*++code];
stop:
    return x;
}

int main(void)
{
    signed char x = __VERIFIER_nondet_schar();
    static const unsigned char code[] = {1, 2, 3, 1, 0};
    assert(run(code, x) == -(2 * (x + 1)) + 1);
    unsigned char own[3];
    SYMBOLIC(own);
    klee_assume((own[0] < 4) & (own[1] < 4));
    own[2] = 0;
    int y = run(own, 5);
    assert(y >= -12 && y <= 20);
    return 0;
}
