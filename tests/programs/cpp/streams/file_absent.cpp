// A stream on a file that is not there cannot be read.
//@ verdict: safe
//@ flags: --no-files --check default,leak
#include <cassert>
#include <fstream>
#include <string>

int main()
{
    std::ifstream in("nowhere");
    assert(!in && !in.is_open() && in.fail() && !in.bad());
    std::string line = "kept";
    assert(!std::getline(in, line) && line == "kept");
    std::fstream both("nowhere");
    assert(!both.is_open());
    return 0;
}
