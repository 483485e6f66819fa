// std::string, as keys and values of trees and hash tables.
//@ verdict: safe
//@ flags: --check default,leak
//@ rev right:
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include "../inputs.h"
#include <cassert>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>

int main()
{
    std::string text = "weft";
    text += ' ';
    text += "and a warp that is longer than what fits";
    assert(text.size() == 45 && text.find("warp") == 11 && text.substr(5, 3) == "and");
    text.replace(0, 4, "woof").insert(0, 2, '-').erase(6);
    assert(text == "--woof" && text.compare("--wool") < 0);
    assert(std::to_string(-42) + "!" == "-42!" && std::stoi("17") == 17);

    std::map<std::string, int> numbers{{"one", 1}, {"two", 2}, {"three", 3}};
    assert(numbers.begin()->first == "one" && std::next(numbers.begin())->first == "three");
    std::unordered_map<std::string, std::string> names;
    for (const auto &number : numbers)
        names[std::to_string(number.second)] = number.first;
    std::string digit(1, '0');
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 1 && n <= 3);
    digit[0] = static_cast<char>('0' + n);
    assert(numbers.at(names.at(digit)) == n);
    bool is_refused = false;
    try {
        (void)digit.at(1);
    } catch (const std::out_of_range &) {
        is_refused = true;
    }
#ifdef WRONG
    assert(!is_refused);
#endif
    assert(is_refused);
    return 0;
}
