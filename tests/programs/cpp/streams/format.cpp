// Format flags of output, as a native program prints them.
//@ verdict: safe
//@ stdout: ff 0xff 377 255|    42|42    |0042|+7|1E+03
//@ stdout: 3.14 3.142e+00 3.14159 true 0 *****abc abc..... -   7 0x000f
#include <iomanip>
#include <iostream>

int main()
{
    std::cout << std::hex << 255 << ' ' << std::showbase << 255 << std::noshowbase << ' ' << std::oct << 255 << std::dec
              << ' ' << 255 << '|' << std::setw(6) << 42 << '|' << std::left << std::setw(6) << 42 << '|' << std::right
              << std::setfill('0') << std::setw(4) << 42 << '|' << std::showpos << 7 << std::noshowpos << '|'
              << std::uppercase << std::setprecision(1) << 1000.0 << std::nouppercase << '\n';
    std::cout << std::fixed << std::setprecision(2) << 3.14159 << ' ' << std::scientific << std::setprecision(3) << 3.14159
              << ' ' << std::defaultfloat << std::setprecision(6) << 3.14159 << ' ' << std::boolalpha << true
              << std::noboolalpha << ' ' << false << ' ' << std::setfill('*') << std::setw(8) << "abc" << ' ' << std::left
              << std::setfill('.') << std::setw(8) << "abc" << ' ' << std::internal << std::setfill(' ') << std::setw(5)
              << -7 << ' ' << std::setfill('0') << std::hex << std::showbase << std::setw(6) << 15 << '\n';
    return 0;
}
