// An output that is written before an input is read must be an early clobber; without that the compiler may choose one
// register for both, and what the program does is not known.
//@ rev wrong:
//@ verdict[wrong]: unknown
//@ reason[wrong]: shared_register.c:20
//@ rev right:
//@ clang[right]: -DEARLY
//@ verdict[right]: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), sum;
#ifdef EARLY
    __asm__("movl %1, %0\n\taddl %2, %0" : "=&r"(sum) : "r"(x), "r"(y) : "cc");
    assert(sum == x + y);
#else
    /* The next line is line 20. */
    __asm__("movl %1, %0\n\taddl %2, %0" : "=r"(sum) : "r"(x), "r"(y) : "cc");
#endif
    return 0;
}
