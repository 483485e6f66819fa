// A variable that nobody gave is absent or any text of up to eight bytes, and the same whenever it is asked for.
//@ verdict: unsafe(assert)
//@ rev strict: --strict --sym-env 0
//@ verdict[strict]: safe
//@ rev given: --strict --env MODE=off --sym-env 3
//@ verdict[given]: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *mode = getenv("MODE");
    assert(mode == getenv("MODE"));
    if (mode) {
        assert(strlen(mode) <= 8);
        assert(strcmp(mode, "fast") != 0); //~ BUG!
    }
    return 0;
}
