// Lines of standard input are counted; a last line without an end is one too.
//@ verdict: safe
//@ flags: --sym-stdin 3
//@ rev right:
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <cassert>
#include <iostream>
#include <string>

int main()
{
    int n_lines = 0, n_characters = 0;
    for (std::string line; std::getline(std::cin, line); n_lines++)
        n_characters += static_cast<int>(line.size());
    assert(std::cin.eof() && n_lines >= 1 && n_lines <= 3);
    // What is no character of a line is its end.
    assert(n_lines + n_characters == 3 || n_lines + n_characters == 4);
#ifdef WRONG
    assert(n_lines + n_characters == 3);
#endif
    return 0;
}
