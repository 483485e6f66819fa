// std::cout fails where the program asks for its state, and stays quiet where nobody does.
//@ verdict: safe
//@ rev ignored: --fail io
//@ rev state:
//@ clang[state]: -DSTATE
//@ assumes[state]: world.io-succeeds world.memory-succeeds
//@ rev fails: --fail io
//@ clang[fails]: -DSTATE
//@ verdict[fails]: unsafe(assert)
#include <cassert>
#include <iostream>

int main()
{
    int x = 5;
    std::cout << "x is " << x << std::endl;
#ifdef STATE
    assert(std::cout.good());
#endif
    return 0;
}
