// A file that nobody has described holds anything, also a number that the program does not expect.
//@ verdict: unsafe(div)
//@ flags: --sym-file settings=2
#include <fstream>
#include <iostream>

int main()
{
    std::ifstream settings("settings");
    int width;
    if (!(settings >> width))
        return 1;
    std::cout << 80 / width << '\n'; //~ BUG! div
    return 0;
}
