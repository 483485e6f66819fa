// With --fail io a call is interrupted as often as --signals says. A number that the user gave is no assumption.
//@ flags: --fail io --fail-at-most 3
//@ verdict: safe
//@ rev nobody_said:
//@ assumes: world.standard-streams
//@ assumes[nobody_said]: world.signals-bound world.standard-streams
//@ rev one: --signals 1
//@ rev two: --signals 2
//@ verdict[two]: unsafe(assert)
//@ rev none: --signals 0
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    int n_interrupted = 0;
    char byte = 'x';
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        if (write(ends[1], &byte, 1) < 0 && errno == EINTR)
            n_interrupted++;
    }
    assert(n_interrupted <= 1); //~ BUG! assert
    return 0;
}
