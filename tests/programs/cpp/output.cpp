// Text and numbers go to std::cout, and into memory.
//@ verdict: safe
//@ clang: -w
#include <cassert>
#include <cstring>
#include <iostream>
#include <strstream>

int main()
{
    std::cout << "n = " << 12 << ' ' << -3L << ' ' << 2.5 << std::endl;
    std::ostrstream text;
    text << "a" << 7 << "," << 1000000000000L << std::ends;
    assert(text.pcount() == 17);
    char *all = text.str();
    assert(std::strcmp(all, "a7,1000000000000") == 0);
    text.freeze(false);
    std::strstream both;
    both << 'x' << 5u;
    assert(both.pcount() == 2);
    std::cerr << "done\n" << std::flush;
    return 0;
}
