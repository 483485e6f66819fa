// An array of structures, changed and searched through a symbolic index.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct account {
    char owner;
    int balance;
    short history[2];
};

int main(void)
{
    struct account accounts[4] = {{'a', 10, {1, 2}}, {'b', 20, {3, 4}}, {'c', 30, {5, 6}}, {'d', 40, {7, 8}}};
    unsigned from, to;
    SYMBOLIC(from);
    SYMBOLIC(to);
    klee_assume(from < 4);
    klee_assume(to < 4);
    accounts[from].balance -= 5;
    accounts[to].balance += 5;
    accounts[to].history[1] = accounts[from].history[0];
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += accounts[i].balance;
    assert(sum == 100);
    assert(accounts[to].owner == (char)('a' + to));
    assert(accounts[to].history[1] == (short)(2 * from + 1));
    return 0;
}
