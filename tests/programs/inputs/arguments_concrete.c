// Concrete arguments from the command line.
//@ verdict: safe
//@ flags: --arg one --arg 22
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[])
{
    assert(argc == 3 && strcmp(argv[1], "one") == 0 && atoi(argv[2]) == 22 && argv[3] == NULL);
    return 0;
}
