// A small hash table with symbolic keys: what was put in is found again.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

#define SLOTS 4

struct slot {
    unsigned char used, key, value;
};
static struct slot slots[SLOTS];

static struct slot *find(unsigned char key)
{
    unsigned i = (key * 7u) % SLOTS;
    while (slots[i].used && slots[i].key != key)
        i = (i + 1) % SLOTS;
    return &slots[i];
}

static void put(unsigned char key, unsigned char value) { *find(key) = (struct slot){1, key, value}; }

int main(void)
{
    unsigned char a, b;
    SYMBOLIC(a);
    SYMBOLIC(b);
    put(a, 1);
    put(b, 2);
    assert(find(b)->used && find(b)->value == 2);
    assert(find(a)->value == (a == b ? 2 : 1));
    return 0;
}
