// A number that can be anything is printed to the console as a whole, also with a width and in another base.
//@ verdict: safe
//@ executions: total=1
#include "../../inputs.h"
#include <iomanip>
#include <iostream>

int main()
{
    unsigned n = static_cast<unsigned>(__VERIFIER_nondet_int());
    std::cout << n << ' ' << std::setw(8) << n << ' ' << std::hex << std::showbase << n << std::noshowbase
              << std::setfill('0') << std::setw(8) << n << std::endl;
    return 0;
}
