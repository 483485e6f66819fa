// Forgets a block.
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    p = malloc(8);
    free(p);
    return 0;
}
