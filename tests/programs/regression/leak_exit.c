// A pointer that is overwritten before exit ends the program no longer keeps its block.
//@ verdict: unsafe(leak)
//@ flags: --check memory,leak
#include <stdlib.h>

int main(void)
{
    char *p = malloc(8);
    p = NULL;
    exit(p != NULL); //~ BUG!
}
