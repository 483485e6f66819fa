// The error handler forgets that the failed call had not produced a value yet.
//@ verdict: unsafe(assert)
//~ INPUT x=13
#include "../inputs.h"
#include <assert.h>
#include <setjmp.h>

static jmp_buf handler;

static int checked(int x)
{
    if (x == 13)
        longjmp(handler, 1);
    return x;
}

int main(void)
{
    int x;
    SYMBOLIC(x);
    volatile int result = 13;
    if (setjmp(handler) == 0)
        result = checked(x);
    assert(result != 13); //~ BUG!
    return 0;
}
