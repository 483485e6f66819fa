// What C++17 orders.
//@ verdict: safe
//@ assumes: world.memory-succeeds
#include <cassert>
#include <iostream>
#include <vector>

static int counter;

static int next() { return ++counter; }

int main()
{
    std::cout << next() << " " << next() << "\n";
    std::vector<int> list{next(), next()};
    assert(list[0] == 3 && list[1] == 4);
    list[next() - 5] = next();
    assert(list[1] == 5);
    counter += next();
    return 0;
}
