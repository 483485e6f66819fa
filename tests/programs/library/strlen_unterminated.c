// strlen of bytes without a NUL reads past them.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <string.h>

int main(void)
{
    char s[3];
    SYMBOLIC(s);
    return strlen(s) > 5; //~ BUG!
}
