// What a program writes to a file it reads again: whole lines, numbers, at the end, from a position, deleted by its base.
//@ verdict: safe
//@ flags: --check default,leak
#include <cassert>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

int main()
{
    {
        std::ofstream out("notes.txt");
        assert(out.is_open());
        out << "first line\n" << 42 << ' ' << 2.5 << "\nrest";
    }
    std::ofstream("notes.txt", std::ios::app) << " and more";
    std::string line;
    int number;
    double real;
    {
        std::ifstream in("notes.txt");
        assert(std::getline(in, line) && line == "first line");
        assert(in >> number >> real && number == 42 && real == 2.5);
        assert(in.get() == '\n' && in.peek() == 'r');
        in.seekg(6);
        assert(in >> line && line == "line" && in.tellg() == std::streampos(10));
    }
    std::ifstream again(std::string("notes.txt"));
    std::string all((std::istreambuf_iterator<char>(again)), std::istreambuf_iterator<char>());
    assert(all == "first line\n42 2.5\nrest and more");
    again.close();
    std::fstream both("notes.txt", std::ios::in | std::ios::out);
    both.seekp(0, std::ios::end);
    both << '!';
    both.seekg(-2, std::ios::end);
    assert(both.get() == 'e' && both.get() == '!');
    std::unique_ptr<std::istream> any(new std::ifstream("notes.txt"));
    assert(*any >> line && line == "first");
    return 0;
}
