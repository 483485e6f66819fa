// A function that ends without `return` gives any value, however its scopes are left.
//@ verdict: unsafe(assert)
//@ clang: -Wno-return-type
#include <assert.h>

static int find(int wanted)
{
    {
        int copy[3];
        copy[0] = wanted;
        if (copy[0])
            return 5;
    }
    for (int i = 0; i < 2; i++) {
        int other[2];
        other[0] = i;
        if (other[0] == wanted - 1)
            return 5;
        if (other[0] + wanted == 77)
            break;
    }
}

int main(void)
{
    assert(find(1) == 5);
    assert(find(0) == 5); //~ BUG! assert
    return 0;
}
