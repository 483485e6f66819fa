// A four-bit field that should hold 0 to 15 is signed: 8 and more come back negative and index before the table.
//@ verdict: unsafe(memory)
#include "../inputs.h"

struct packet {
    unsigned kind : 3;
    signed int slot : 4;
    unsigned length : 9;
};

int main(void)
{
    int table[16] = {0};
    unsigned slot;
    klee_make_symbolic(&slot, sizeof slot, "slot");
    klee_assume(slot < 16);
    struct packet p = {.kind = 5, .length = 300};
    p.slot = (int)slot;
    return table[p.slot]; //~ BUG!
}
