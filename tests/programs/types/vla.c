// Variable-length arrays: sizeof at run time, two dimensions, a new one in each iteration.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static int sum(int n, int rows, int table[rows][n])
{
    int total = 0;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < n; c++)
            total += table[r][c];
    return total;
}

int main(void)
{
    signed char x;
    SYMBOLIC(x);
    for (int n = 1; n <= 4; n++) {
        int line[n];
        assert(sizeof line == n * sizeof(int));
        for (int i = 0; i < n; i++)
            line[i] = x + i;
        assert(line[n - 1] == x + n - 1);
        int table[2][n];
        for (int i = 0; i < 2 * n; i++)
            table[i / n][i % n] = x;
        assert(sum(n, 2, table) == 2 * n * x);
    }
    return 0;
}
