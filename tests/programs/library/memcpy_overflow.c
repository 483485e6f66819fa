// memcpy with a length that may exceed the destination.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <string.h>

int main(void)
{
    char from[16] = "fifteen letters", to[8];
    unsigned char n;
    SYMBOLIC(n);
    if (n <= 9)
        memcpy(to, from, n); //~ BUG!
    return 0;
}
