// Bit-fields: widths, signs, neighbours, a field that starts a new unit, and assignment cut to the width.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct flags {
    unsigned ready : 1;
    unsigned level : 3;
    signed int balance : 5;
    unsigned : 0;
    unsigned wide : 31;
    unsigned long long huge : 40;
};

int main(void)
{
    unsigned x;
    SYMBOLIC(x);
    struct flags f = {0};
    f.level = x;
    assert(f.level == (x & 7));
    f.balance = (int)(x & 15);
    assert(f.balance == (int)(x & 15));
    f.ready = 1;
    assert(f.level == (x & 7) && f.balance == (int)(x & 15) && f.ready == 1);
    f.wide = x;
    assert(f.wide == (x & 0x7fffffff));
    f.huge = (unsigned long long)x << 8;
    assert(f.huge == ((unsigned long long)x << 8));
    f.level++;
    assert(f.level == ((x + 1) & 7));
    f.balance = -16;
    assert(f.balance == -16 && f.ready == 1 && f.wide == (x & 0x7fffffff));
    return 0;
}
