// A store of a value that was never written is a store of any value.
//@ verdict: unsafe(assert)
#include <assert.h>

int x = 5;

int main(void)
{
    int y;
    x = y;
    assert(x == 5); //~ BUG! assert
    return 0;
}
