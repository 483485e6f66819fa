// A variable of a block with a label in it has no value again when the block is entered again.
//@ verdict: unsafe(assert)
#include <assert.h>

int main(void)
{
    int i = 0;
again:;
    {
    inside:;
        int y;
        if (i == 1) {
            assert(y == 3); //~ BUG! assert
            return 0;
        }
        y = 3;
        i++;
    }
    goto again;
    goto inside;
}
