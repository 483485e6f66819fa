// A switch with dense cases, fall-through, and a default in the middle.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static int cost(unsigned n)
{
    int c = 0;
    switch (n) {
    case 0:
        c += 1;
        /* fall through */
    case 1:
        c += 10;
        break;
    default:
        c = -1;
        break;
    case 2:
    case 3:
        c += 100;
        /* fall through */
    case 4:
        c += 1000;
    }
    return c;
}

int main(void)
{
    unsigned n;
    SYMBOLIC(n);
    static const int wanted[5] = {11, 10, 1100, 1100, 1000};
    assert(n < 5 ? cost(n) == wanted[n] : cost(n) == -1);
    return 0;
}
