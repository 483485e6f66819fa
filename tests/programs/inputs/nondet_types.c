// Every nondet function gives a value of its type, and two calls give two values.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    _Bool b = __VERIFIER_nondet_bool();
    assert(b == 0 || b == 1);
    int c = __VERIFIER_nondet_char(), u = __VERIFIER_nondet_uchar();
    assert(c >= -128 && c <= 127 && u >= 0 && u <= 255);
    int s = __VERIFIER_nondet_short(), v = __VERIFIER_nondet_ushort();
    assert(s >= -32768 && s <= 32767 && v >= 0 && v <= 65535);
    unsigned long long w = __VERIFIER_nondet_ulonglong();
    long long l = __VERIFIER_nondet_longlong();
    assert((w >> 63) <= 1 && (l < 0) == ((unsigned long long)l >> 63));
    return 0;
}
