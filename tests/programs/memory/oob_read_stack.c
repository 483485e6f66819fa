// Reading one element before an array on the stack.
//@ verdict: unsafe(memory)
//~ INPUT i=0
#include "../inputs.h"

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int i;
    SYMBOLIC(i);
    if (i < 0 || i > 4)
        return 0;
    return a[i - 1]; //~ BUG!
}
