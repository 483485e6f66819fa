// Words, characters and lines of any standard input; the state of the stream agrees with what was read.
//@ verdict: safe
//@ flags: --sym-stdin 3
#include <cassert>
#include <iostream>
#include <string>

int main()
{
    std::string word, rest;
    if (std::cin >> word) {
        assert(!word.empty() && word.size() <= 3);
        for (char c : word)
            assert(c != ' ' && c != '\n');
        if (std::getline(std::cin, rest))
            assert(word.size() + rest.size() <= 3);
        else
            assert(std::cin.eof() && rest.empty());
    } else {
        assert(std::cin.eof() && std::cin.fail() && word.empty());
    }
    return 0;
}
