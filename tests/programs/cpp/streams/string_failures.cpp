// What is no number, or one that does not fit, is a failure; the rest stays in the stream.
//@ verdict: safe
//@ flags: --check default,leak
#include <cassert>
#include <climits>
#include <sstream>
#include <string>

int main()
{
    std::istringstream in("12abc 99999999999 -5 0x1f 077");
    int n;
    std::string word;
    assert(in >> n && n == 12);
    assert(!(in >> n) && n == 0 && in.fail() && !in.eof());
    in.clear();
    assert(in >> word && word == "abc");
    assert(!(in >> n) && n == INT_MAX);
    in.clear();
    unsigned u;
    assert(in >> u && u == UINT_MAX - 4);
    assert(in >> std::hex >> n && n == 31);
    in.unsetf(std::ios::basefield);
    assert(in >> n && n == 63 && in.eof());
    in.clear();
    in.str("next one");
    assert(in >> word && word == "next");
    in.unget();
    char c;
    assert(in.get(c) && c == 't');
    char few[4];
    in.getline(few, 3);
    assert(in.fail() && std::string(few) == " o" && in.gcount() == 2);
    return 0;
}
