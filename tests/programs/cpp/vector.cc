// What the standard library has in its headers is compiled with the program.
//@ verdict: safe
//@ executions: 6
#include "../inputs.h"
#include <algorithm>
#include <assert.h>
#include <vector>

int main()
{
    std::vector<int> numbers;
    for (int i = 0; i < 3; i++)
        numbers.push_back(__VERIFIER_nondet_int());
    std::sort(numbers.begin(), numbers.end());
    assert(numbers[0] <= numbers[1] && numbers[1] <= numbers[2]);
    return 0;
}
