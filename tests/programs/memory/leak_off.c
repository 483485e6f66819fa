// The same leak is no error unless the property is asked for.
//@ verdict: safe
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    *p = 1;
    p = NULL;
    return p != NULL;
}
