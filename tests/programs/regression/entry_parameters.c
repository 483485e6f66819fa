// An entry other than main is called with any arguments.
//@ verdict: unsafe(assert)
//@ flags: --entry work
#include <assert.h>

int work(int x)
{
    assert(x != 1234); //~ BUG!
    return 0;
}

int main(void)
{
    return work(1);
}
