// strcpy into a buffer that is one byte too small for the longest string; reported at the call.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <string.h>

int main(void)
{
    char from[5], to[4];
    SYMBOLIC(from);
    from[4] = 0;
    strcpy(to, from); //~ BUG!
    return to[0];
}
