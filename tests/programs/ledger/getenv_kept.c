// A text that getenv gave outlives a change of its variable, as in glibc, and that is said; a variable that nobody has
// asked for may be changed without a word.
//@ verdict: safe
//@ flags: --sym-env 2
//@ rev set: --check default
//@ clang[set]: -DCHANGE=setenv(asked,value,1)
//@ assumes[set]: library.getenv-kept world.memory-succeeds
//@ rev unset: --check default
//@ clang[unset]: -DCHANGE=unsetenv(asked)
//@ assumes[unset]: library.getenv-kept
//@ rev put: --check default
//@ clang[put]: -DCHANGE=putenv(text)
//@ assumes[put]: library.getenv-kept world.memory-succeeds
//@ rev cleared: --check default
//@ clang[cleared]: -DCHANGE=clearenv()
//@ assumes[cleared]: library.getenv-kept
//@ rev given: --env A=x
//@ clang[given]: -DCHANGE=unsetenv(asked)
//@ assumes[given]: library.getenv-kept
//@ rev kept: --check default
//@ clang[kept]: -DCHANGE=setenv(asked,value,0)
//@ assumes[kept]: nothing
//@ rev other: --check default
//@ clang[other]: -DCHANGE=unsetenv(other)
//@ assumes[other]: nothing
#include <assert.h>
#include <stdlib.h>

#define UNUSED __attribute__((unused))
static const char asked[] = "A", other[] UNUSED = "B", value[] UNUSED = "new";
static char text[] UNUSED = "A=put";

int main(void)
{
    const char *a = getenv(asked);
    if (!a)
        return 0;
    char first = a[0];
    CHANGE;
    assert(a[0] == first);
    return 0;
}
