// Scans, counts and simple arithmetic of x86 in inline assembly give what C gives, for all inputs.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdint.h>

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned low, high, swapped = x, sum = x, mixed = x, ones;
    __asm__("bsfl\t%1, %0\n\t" : "=r"(low) : "rm"(x | 0x10000));
    assert(low == (unsigned)__builtin_ctz(x | 0x10000));
    __asm__("bsrl\t%1, %0\n\t" : "=r"(high) : "rm"(x | 4) : "cc");
    assert(high == 31u - (unsigned)__builtin_clz(x | 4));
    __asm__("bswap %0" : "+r"(swapped));
    assert(swapped == __builtin_bswap32(x));
    __asm__("popcntl %1, %0" : "=r"(ones) : "r"(x & 0xff));
    assert(ones == (unsigned)__builtin_popcount(x & 0xff));

    unsigned char carry;
    __asm__("addl %2, %0; setc %1" : "+r"(sum), "=q"(carry) : "r"(y) : "cc");
    assert(sum == x + y && carry == (x + y < x));
    __asm__("xorl %1, %0\n\tnotl %0\n\tshrl $3, %0" : "+&r"(mixed) : "r"(y));
    assert(mixed == ~(x ^ y) >> 3);

    int less;
    __asm__("cmpl %2, %1" : "=@ccl"(less) : "r"((int)x), "r"((int)y));
    assert(less == ((int)x < (int)y));

    /* A write of 32 bits clears the upper half of a register, one of 8 bits keeps the rest. */
    uint64_t wide = 0x1122334455667788;
    __asm__("movl %1, %k0" : "+r"(wide) : "r"(x));
    assert(wide == x);
    wide = 0x1122334455667788;
    __asm__("movb $7, %b0" : "+r"(wide));
    assert(wide == 0x1122334455667707);

    unsigned from, to;
    __asm__("movl %1, %%eax\n\tincl %%eax\n\tmovl %%eax, %0" : "=m"(to) : "m"(x) : "eax", "cc");
    assert(to == x + 1);
    __asm__("btl $5, %1; sbbl %0, %0" : "=r"(from) : "r"(x) : "cc");
    assert(from == (x >> 5 & 1 ? ~0u : 0));
    return 0;
}
