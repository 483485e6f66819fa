// klee_make_symbolic of a whole structure, and then of a part of it again.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct request {
    unsigned char kind;
    short values[3];
    struct {
        int x, y;
    } where;
};

int main(void)
{
    struct request r;
    klee_make_symbolic(&r, sizeof r, "r");
    klee_assume(r.kind < 3);
    short middle = r.values[1];
    klee_make_symbolic(&r.where.x, sizeof r.where.x, "x");
    klee_assume(r.where.x == r.where.y);
    assert(r.values[1] == middle);
    assert(r.where.x - r.where.y == 0);
    assert(r.kind <= 2);
    return 0;
}
