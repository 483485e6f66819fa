// How much is copied is an input: all lengths are tried, and every one of them can be seen half done.
//@ verdict: unsafe(assert)
//@ rev free:
//@ rev short:
//@ clang[short]: -DMOST=8
//@ verdict[short]: safe
//@ rev outside:
//@ clang[outside]: -DMOST=100
//@ verdict[outside]: unsafe(assert,memory)
//@ flags: --all-bugs
#include "../team.h"
#include <assert.h>
#include <string.h>

#ifndef MOST
#define MOST 16
#endif

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

static char shared[16];

static void *fill(void *unused)
{
    unsigned length = __VERIFIER_nondet_uint();
    __VERIFIER_assume(length <= MOST);
    memset(shared, 1, length);
    return unused;
}

static void *look(void *unused)
{
    char first = shared[0], last = shared[8];
    char again = shared[8];
    assert(!(first == 1 && last == 0 && again == 1));
    return unused;
}

int main(void)
{
    run_pair(fill, look);
    return 0;
}
