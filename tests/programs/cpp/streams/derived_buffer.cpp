// A stream over a buffer of the program's own class.
//@ verdict: safe
#include <cassert>
#include <iostream>
#include <streambuf>

struct Counter : std::streambuf {
    int n = 0;
    int overflow(int c) override
    {
        n++;
        return c;
    }
};

int main()
{
    Counter counter;
    std::ostream out(&counter);
    out << "abc" << 12 << std::endl;
    assert(counter.n == 6);
    return 0;
}
