// Enumerations: given values, arithmetic, and a switch that covers them all.
//@ verdict: safe
//@ flags: --reduce none
// One path for each of the three colours, one for all other numbers.
//@ executions: total=4 full=4
#include "../inputs.h"
#include <assert.h>

enum colour { RED = 1, GREEN, BLUE = 10 };

static const char *name(enum colour c)
{
    switch (c) {
    case RED:
        return "red";
    case GREEN:
        return "green";
    case BLUE:
        return "blue";
    }
    return "none";
}

int main(void)
{
    unsigned c;
    SYMBOLIC(c);
    const char *n = name((enum colour)c);
    assert(GREEN == 2 && sizeof(enum colour) == 4);
    assert((n[0] == 'r') == (c == RED));
    assert((n[0] == 'n') == ((c != 1) & (c != 2) & (c != 10)));
    return 0;
}
