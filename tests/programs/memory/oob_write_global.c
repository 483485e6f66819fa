// The second dimension is indexed with the bound of the first: outside the object only in the last row.
//@ verdict: unsafe(memory)
#include "../inputs.h"

static int grid[5][3];

int main(void)
{
    unsigned row, column;
    SYMBOLIC(row);
    SYMBOLIC(column);
    if (row < 5 && column < 5)
        ((int *)grid)[row * 3 + column] = 1; //~ BUG!
    return 0;
}
