// Comparing with a password: the one string that opens is found.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>
#include <string.h>

int main(void)
{
    char word[8];
    SYMBOLIC(word);
    word[7] = 0;
    if (strcmp(word, "sesame") == 0)
        assert(0 && "open"); //~ BUG!
    return 0;
}
