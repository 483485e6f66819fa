// A local that is changed between setjmp and longjmp keeps the change, as it does without optimisation.
//@ verdict: safe
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffer;

static int thrice(void)
{
    volatile int n = 0;
    setjmp(buffer);
    n++;
    if (n < 3)
        longjmp(buffer, 1);
    return n;
}

int main(void)
{
    assert(thrice() == 3);
    return 0;
}
