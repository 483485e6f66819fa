// An input has the type that its prototype says, whatever the rest of its name is.
//@ verdict: unsafe(assert)
#include <assert.h>

typedef unsigned char byte;
byte nondet_byte(void);
int __VERIFIER_nondet_char(void);

int main(void)
{
    assert(nondet_byte() <= 255);
    int wide = __VERIFIER_nondet_char();
    assert(wide != 1000000); //~ BUG!
    return 0;
}
