// A program may cut its arguments into pieces, and read all of them up to where they ended at first.
//@ verdict: safe
//@ flags: --sym-args 4 --sym-env 3
#include <stdlib.h>
#include <string.h>
#include "../inputs.h"

int main(int argc, char **argv)
{
    (void)argc;
    char *text = argv[1];
    size_t length = strlen(text);
    char *value = strchr(text, '=');
    if (value)
        *value++ = 0;
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && (size_t)i <= length)
        text[i] = 0;
    char *path = getenv("PATH");
    if (path && path[0] == '/' && path[1])
        for (char *part = strtok(path, ":"); part; part = strtok(NULL, ":"))
            if (!part[0])
                return 1;
    return value && *value == 'x';
}
