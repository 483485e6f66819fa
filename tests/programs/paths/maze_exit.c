// A maze with walls: the shortest way of six steps leads from the start to the exit.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

#define STEPS 7

static const char maze[5][6] = {
    "#####",
    "#S#E#",
    "#.#.#",
    "#...#",
    "#####",
};

int main(void)
{
    char steps[STEPS];
    klee_make_symbolic(steps, sizeof steps, "steps");
    int x = 1, y = 1;
    for (int i = 0; i < STEPS; i++) {
        switch (steps[i]) {
        case 'l':
            x--;
            break;
        case 'r':
            x++;
            break;
        case 'u':
            y--;
            break;
        case 'd':
            y++;
            break;
        default:
            return 1;
        }
        if (maze[y][x] == '#')
            return 2;
        assert(maze[y][x] != 'E'); //~ BUG!
    }
    return 0;
}
