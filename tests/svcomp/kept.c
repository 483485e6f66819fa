// A global keeps the block: it is tracked, but not released.
#include <stdlib.h>

int *kept;

int main(void)
{
    kept = malloc(4);
    return 0;
}
