// Unlike printf("%s"), puts has no text for a null pointer.
//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void)
{
    char *volatile text = 0;
    puts(text); //~ BUG!
    return 0;
}
