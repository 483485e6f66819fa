// 128-bit integers: products of 64-bit numbers keep their high half.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    uint64_t x;
    unsigned char y;
    SYMBOLIC(x);
    SYMBOLIC(y);
    unsigned __int128 wide = (unsigned __int128)x << 64 | x;
    assert((uint64_t)(wide >> 64) == x && (uint64_t)wide == x);
    assert((uint64_t)((wide + 1) >> 64) == (x == UINT64_MAX ? 0 : x));
    unsigned __int128 product = (unsigned __int128)0xffffffffffffffffu * y;
    assert(y == 0 || (uint64_t)(product >> 64) == (uint64_t)y - 1);
    __int128 negative = -(__int128)y;
    assert(negative <= 0 && (int)negative == -(int)y);
    return 0;
}
