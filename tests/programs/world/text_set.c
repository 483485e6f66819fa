// A variable that the program sets has the bytes of its text and no more.
//@ verdict: unsafe(memory)
//@ flags: --sym-env 0
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    if (setenv("A", "bc", 1))
        return 1;
    const char *a = getenv("A");
    assert(a[0] == 'b' && a[2] == 0);
    return a[3];                         //~ BUG! memory
}
