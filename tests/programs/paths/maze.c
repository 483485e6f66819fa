// A walk of four steps on a 3x3 board from a corner; a wrong letter or a step off the board ends it.
// Let C, E, M be the number of paths with k steps to go from a corner, an edge, the middle: the wrong letter is one
// path, each of the four directions either leaves the board (one path) or goes on from the neighbour:
//   C(k) = 3 + 2 E(k-1),  E(k) = 2 + 2 C(k-1) + M(k-1),  M(k) = 1 + 4 E(k-1),  all 1 for k = 0.
//   k=1: 5 5 5; k=2: 13 17 21; k=3: 37 49 69; C(4) = 3 + 2*49 = 101.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=101 full=101
#include "../inputs.h"
#include <assert.h>

#define STEPS 4

int main(void)
{
    char steps[STEPS];
    klee_make_symbolic(steps, sizeof steps, "steps");
    int x = 0, y = 0;
    for (int i = 0; i < STEPS; i++) {
        if (steps[i] == 'l')
            x--;
        else if (steps[i] == 'r')
            x++;
        else if (steps[i] == 'u')
            y--;
        else if (steps[i] == 'd')
            y++;
        else
            return 1;
        if (x < 0 || x > 2 || y < 0 || y > 2)
            return 2;
    }
    // After an even number of steps the walk stands on a field of the colour it started from.
    assert((x + y) % 2 == 0);
    return 0;
}
