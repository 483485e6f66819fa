// The assertion fails and the program aborts, but reach_error is never called.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(x != 7);
    if (x == 7)
        reach_error();
    return 0;
}
