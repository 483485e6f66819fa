// Out of step with stdio, std::cin may have read ahead of it; in step it has not.
//@ verdict: safe
//@ flags: --sym-stdin 2
//@ rev step:
//@ assumes[step]: world.io-succeeds world.memory-succeeds
//@ rev apart:
//@ clang[apart]: -DAPART
//@ assumes[apart]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
#include <cassert>
#include <cstdio>
#include <iostream>

int main()
{
#ifdef APART
    assert(std::ios_base::sync_with_stdio(false));
    assert(!std::ios_base::sync_with_stdio(false));
#endif
    char c = 0;
    std::cin.get(c);
    int next = std::getchar();
    assert(next >= 0 && next < 256);
    return c == 0;
}
