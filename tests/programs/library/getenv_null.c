// getenv reads the name.
//@ verdict: unsafe(memory)
#include <stdlib.h>

int main(void)
{
    return getenv(NULL) == NULL; //~ BUG! memory
}
