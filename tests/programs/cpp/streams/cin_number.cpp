// A number from standard input breaks an assertion.
//@ verdict: unsafe(assert)
//@ flags: --sym-stdin 2
#include <cassert>
#include <iostream>

int main()
{
    int number = 0;
    if (!(std::cin >> number))
        return 1;
    assert(number != 42); //~ BUG! assert
    return 0;
}
