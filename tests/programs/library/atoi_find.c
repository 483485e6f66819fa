// The text that reads as 137 is found.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char text[4];
    SYMBOLIC(text);
    text[3] = 0;
    assert(atoi(text) != 137); //~ BUG!
    return 0;
}
