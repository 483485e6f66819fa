// As setjmp_locals, with a local that is not volatile: its value is what was written last.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffer;

int main(void)
{
    int x = 0;
    if (setjmp(buffer) == 0) {
        x = 1;
        longjmp(buffer, 1);
    }
    assert(x == 0); //~ BUG!
    return 0;
}
