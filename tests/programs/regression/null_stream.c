// Closing a stream that was never opened.
//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/nonexistent/file", "r");
    fclose(file); //~ BUG!
    return 0;
}
