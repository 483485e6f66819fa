// Conversions between integer types and between pointers and integers.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    short s;
    int i;
    unsigned u;
    long long w;
    SYMBOLIC(s);
    SYMBOLIC(i);
    SYMBOLIC(u);
    SYMBOLIC(w);
    // Sign and zero extension.
    assert((long long)s == (int)s);
    assert((unsigned short)s == (s & 0xffff));
    assert((long long)u >= 0);
    assert((long long)(int)u == (u < 0x80000000u ? (long long)u : (long long)u - 0x100000000));
    // There and back.
    assert((int)(unsigned)i == i);
    assert((unsigned)(signed char)u == ((u & 0x80) ? (u & 0xff) | 0xffffff00u : (u & 0xff)));
    assert((int)w == (int)(unsigned long long)w);
    // A comparison of int with unsigned is unsigned.
    if (i < 0)
        assert((unsigned)i > 0x7fffffffu && -1 > 1u);
    // Pointers keep their identity through integers.
    uintptr_t address = (uintptr_t)&i;
    assert((int *)address == &i);
    assert((int *)(address + sizeof i) - &i == 1);
    return 0;
}
