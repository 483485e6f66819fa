// What stands in front of an open variable of the environment is nobody's; it was the run-time's own byte.
//@ verdict: unsafe(memory)
//@ flags: --sym-env 3
//@ rev read: --check default
//@ rev write: --check default
//@ clang[write]: -DWRITE
//@ rev index: --check default
//@ clang[index]: -DINDEX
//@ rev right: --check default
//@ clang[right]: -DRIGHT
//@ verdict[right]: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "../inputs.h"

int main(void)
{
    char *home = getenv("HOME");
    if (!home)
        return 0;
#if defined WRITE
    home[-1] = 'x';
#elif defined INDEX
    int i = __VERIFIER_nondet_int();
    return i >= -1 && i <= 0 ? home[i] : 0;
#elif defined RIGHT
    int i = __VERIFIER_nondet_int();
    assert(getenv("HOME") == home);
    return i >= 0 && i <= (int)strlen(home) ? home[i] : 0;
#else
    return home[-1] == '=';
#endif
    return 0;
}
