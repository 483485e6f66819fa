// Streams over a buffer of another stream, and std::cout that leads elsewhere for a while.
//@ verdict: safe
//@ stdout: back
#include <cassert>
#include <iostream>
#include <sstream>

static std::ostream &show(std::ostream &out, int n) { return out << '<' << n << '>'; }

int main()
{
    std::ostringstream memory;
    std::streambuf *console = std::cout.rdbuf(memory.rdbuf());
    show(std::cout, 5) << std::endl;
    std::cout.rdbuf(console);
    assert(memory.str() == "<5>\n");
    std::cout << "back\n";
    std::ostream other(memory.rdbuf());
    show(other, 6);
    std::istringstream source("copied");
    other << source.rdbuf();
    assert(memory.str() == "<5>\n<6>copied");
    return 0;
}
