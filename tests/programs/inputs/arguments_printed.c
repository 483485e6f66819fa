// An argument that may not be there is printed: glibc has a text for a null pointer.
//@ verdict: safe
//@ stdout: (null)
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argc;
    printf("%s\n", argv[1]);
    return 0;
}
