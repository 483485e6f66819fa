// The program's name is taken for granted when the program reads it, and not for messages of the library.
//@ verdict: safe
//@ flags: --arg a
//@ rev read:
//@ clang[read]: -DREAD
//@ assumes[read]: world.memory-succeeds world.program-name
//@ rev other:
//@ assumes[other]: world.memory-succeeds
#include <assert.h>
#include <err.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc == 2 && argv[1][0] == 'a');
    warnx("argument %s", argv[1]);
#ifdef READ
    assert(strlen(argv[0]) > 0);
#endif
    return 0;
}
