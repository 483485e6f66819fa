// A variable that is changed twice without an order between the changes: clang warns, and the ledger says so.
//@ verdict: safe
//@ assumes: language.evaluation-order
#include <assert.h>

int main(void)
{
    int i = 1;
    i = i++ + 1;
    assert(i == 2);
    return 0;
}
