// The same fields unsigned: what is stored comes back, and the neighbours keep their values.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct packet {
    unsigned kind : 3;
    unsigned slot : 4;
    unsigned length : 9;
};

int main(void)
{
    int table[16] = {0};
    unsigned slot;
    klee_make_symbolic(&slot, sizeof slot, "slot");
    klee_assume(slot < 16);
    struct packet p = {.kind = 5, .length = 300};
    p.slot = slot;
    assert(p.slot == slot);
    assert(p.kind == 5);
    assert(p.length == 300);
    return table[p.slot];
}
