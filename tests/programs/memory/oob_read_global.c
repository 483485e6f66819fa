// A table indexed by a remainder that can be negative.
//@ verdict: unsafe(memory)
#include "../inputs.h"

static const int weekdays[7] = {1, 2, 3, 4, 5, 6, 7};

int main(void)
{
    int day;
    SYMBOLIC(day);
    return weekdays[day % 7]; //~ BUG!
}
