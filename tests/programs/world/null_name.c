// A null pointer is no name.
//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void)
{
    FILE *f = fopen(NULL, "r"); //~ BUG! memory
    return f != NULL;
}
