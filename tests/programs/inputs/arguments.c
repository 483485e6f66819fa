// A symbolic argument of three bytes: the text that is no number is found.
//@ verdict: unsafe(assert)
//@ flags: --sym-args 3
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc == 2 && argv[2] == 0 && strlen(argv[1]) <= 3);
    assert(strcmp(argv[1], "-x") != 0); //~ BUG!
    return 0;
}
