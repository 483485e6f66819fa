// Text of any digits is parsed by a string stream.
//@ verdict: safe
//@ rev right:
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include "../../inputs.h"
#include <cassert>
#include <sstream>
#include <string>

int main()
{
    std::string text = "x=?;y=7 rest";
    int digit = __VERIFIER_nondet_int();
    __VERIFIER_assume(digit >= 0 && digit <= 9);
    text[2] = static_cast<char>('0' + digit);
    std::istringstream in(text);
    std::string name, value;
    int x = -1, y = -1;
    char c;
    assert(std::getline(in, name, '=') && name == "x");
    assert(in >> x >> c && c == ';' && x == digit);
    in.ignore(2);
    assert(in >> y >> value && y == 7 && value == "rest" && in.eof());
#ifdef WRONG
    assert(x != 4);
#endif
    std::stringstream both;
    both << x << ' ' << "word" << ' ' << 1.5;
    int back;
    double real;
    assert(both >> back >> name >> real && back == digit && name == "word" && real == 1.5);
    assert(both.eof() && !both.fail() && !(both >> c));
    return 0;
}
