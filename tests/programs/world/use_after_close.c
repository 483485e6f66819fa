// A stream is gone once it is closed.
//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void)
{
    FILE *f = tmpfile();
    fclose(f);
    return fgetc(f); //~ BUG! memory
}
