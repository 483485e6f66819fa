// Room for the string but not for its end.
//@ verdict: unsafe(memory)
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *name = "selvedge";
    char *copy = malloc(strlen(name));
    size_t i = 0;
    for (; name[i]; i++)
        copy[i] = name[i];
    copy[i] = 0; //~ BUG!
    free(copy);
    return 0;
}
