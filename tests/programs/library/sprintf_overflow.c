// sprintf of a number that may have one digit more than there is room for.
//@ verdict: unsafe(memory)
//~ INPUT n=1000
#include "../inputs.h"
#include <stdio.h>

int main(void)
{
    char buf[4];
    unsigned n;
    SYMBOLIC(n);
    if (n <= 1000)
        sprintf(buf, "%u", n); //~ BUG!
    return 0;
}
