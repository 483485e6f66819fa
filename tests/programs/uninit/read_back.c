// A value that was never written is any value, but the same one wherever it is copied to.
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    int a;
    int b;
};

union number {
    int i;
    unsigned u;
};

int global[2];
struct pair whole;

static struct pair make(void)
{
    struct pair p;
    p.a = 1;
    return p;
}

static int same(int value)
{
    return value;
}

int main(void)
{
    int y;
    global[0] = y;
    assert(global[0] == y);
    int z = y;
    assert(z == y && same(y) == z);
    int copy;
    memcpy(&copy, &y, sizeof copy);
    assert(copy == y);

    struct pair p = make();
    whole = p;
    assert(whole.a == 1 && whole.b == p.b);

    int *block = malloc(2 * sizeof *block);
    int first = block[0];
    assert(first == block[0]);
    free(block);

    union number n;
    int i = n.i;
    assert((unsigned)i == n.u);
    switch (y) {
    case 1:
        assert(global[0] == 1);
        break;
    default:
        assert(global[0] != 1);
    }
    return 0;
}
