// Writes to neighbouring elements and members are no race, to bit-fields of one unit they are.
//@ verdict: safe
//@ flags: --check default,race
//@ rev apart:
//@ rev bits:
//@ clang[bits]: -DBITS
//@ verdict[bits]: unsafe(race)
#include "../team.h"

static struct {
    char letters[2];
    int left, right;
    unsigned low : 4, high : 4;
} shared;

static void *write_left(void *unused)
{
    shared.letters[0] = 'a';
    shared.left = 1;
#ifdef BITS
    shared.low = 1; //~ BUG!
#endif
    return unused;
}

static void *write_right(void *unused)
{
    shared.letters[1] = 'b';
    shared.right = 1;
#ifdef BITS
    shared.high = 1; //~ BUG!
#endif
    return unused;
}

int main(void)
{
    run_pair(write_left, write_right);
    return 0;
}
