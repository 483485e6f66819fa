// Exceptions of streams are not modelled.
//@ verdict: unknown
//@ reason: an exception of a stream
#include <sstream>

int main()
{
    std::istringstream in("x");
    in.exceptions(std::ios::failbit);
    int n;
    in >> n;
    return 0;
}
