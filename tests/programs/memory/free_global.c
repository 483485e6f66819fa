// free of a global.
//@ verdict: unsafe(memory)
#include <stdlib.h>

static int table[4];

int main(void)
{
    free(table); //~ BUG!
    return 0;
}
