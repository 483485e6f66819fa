// A combination of members of a symbolic structure that breaks the assertion.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

struct request {
    unsigned char kind;
    short values[3];
};

int main(void)
{
    struct request r;
    klee_make_symbolic(&r, sizeof r, "r");
    if (r.kind == 200)
        if (r.values[0] == -r.values[2] && r.values[1] == 77)
            assert(r.values[0] <= 1000); //~ BUG!
    return 0;
}
