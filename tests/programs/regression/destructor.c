// Functions to run after main are not modelled: the verdict must not be safe.
//@ verdict: unknown
//@ reason: destructor
#include <stdlib.h>

__attribute__((destructor)) static void finish(void)
{
    abort();
}

int main(void)
{
    return 0;
}
