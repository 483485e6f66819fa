// A protocol as a switch over states and letters, fed with five symbolic bytes.
// Let I, O, B be the number of paths with k bytes to go when idle, open, busy; each case label is one path and all other
// letters are one:
//   I(k) = O(k-1) + I(k-1),  O(k) = B(k-1) + I(k-1) + O(k-1),  B(k) = O(k-1) + 1 + B(k-1),  all 1 for k = 0.
//   k=1: 2 3 3; k=2: 5 8 7; k=3: 13 20 16; k=4: 33 49 37; I(5) = 49 + 33 = 82.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=82 full=82
#include "../inputs.h"
#include <assert.h>

enum state { IDLE, OPEN, BUSY };

int main(void)
{
    char letters[5];
    klee_make_symbolic(letters, sizeof letters, "letters");
    enum state state = IDLE;
    int n_open = 0, n_busy = 0;
    for (int i = 0; i < 5; i++) {
        switch (state) {
        case IDLE:
            switch (letters[i]) {
            case 'o':
                state = OPEN;
                n_open++;
                break;
            default:
                break;
            }
            break;
        case OPEN:
            switch (letters[i]) {
            case 's':
                state = BUSY;
                n_busy++;
                break;
            case 'c':
                state = IDLE;
                n_open--;
                break;
            default:
                break;
            }
            break;
        case BUSY:
            switch (letters[i]) {
            case 'f':
                state = OPEN;
                n_busy--;
                break;
            case 'c':
                return 1;
            default:
                break;
            }
            break;
        }
        assert(n_open == (state != IDLE));
        assert(n_busy == (state == BUSY));
    }
    return 0;
}
