// The scan of zero leaves its result open.
//@ verdict: unsafe(assert)
#include <assert.h>

int main(void)
{
    int position, zero = 0;
    __asm__("bsrl %1, %0" : "=r"(position) : "rm"(zero));
    assert(position != 77);
    return 0;
}
