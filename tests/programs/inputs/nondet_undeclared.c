// Inputs of every type without a declaration.
//@ verdict: safe
#include <assert.h>

int main(void)
{
    assert(nondet_uchar() <= 255 && nondet_ushort() <= 65535 && nondet_bool() <= 1);
    assert(sizeof nondet_ulong() == sizeof(long) && sizeof nondet_longlong() == 8 && sizeof nondet_double() == 8);
    float f = nondet_float();
    assert(f == f || f != f);
    assert(nondet_short() >= -32768 && nondet_uint() >= 0 && nondet_char() <= 127);
    return nondet_int() == 0 && __VERIFIER_nondet_int8_t() == 0;
}
