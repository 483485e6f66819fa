// An index past the end of a container may lie in the room that it has, and what it asks of its callers may be no access.
//@ verdict: unsafe(bounds)
//@ rev vector: --check default,bounds
//@ rev string: --check default,bounds
//@ clang[string]: -DSTRING
//@ rev empty: --check default,bounds
//@ clang[empty]: -DEMPTY
//@ rev asked: --check default
//@ clang[asked]: -D_GLIBCXX_ASSERTIONS
//@ verdict[asked]: unsafe(assert)
//@ rev without: --check default
//@ verdict[without]: safe
//@ clang[without]: -DEMPTY
#include <string>
#include <vector>

int main()
{
    std::vector<int> numbers;
    numbers.reserve(8);
#if defined STRING
    std::string text("ab");
    return text[5];
#elif defined EMPTY
    numbers.pop_back();
    return 0;
#else
    numbers.assign(3, 1);
    return numbers[5] == 0;
#endif
}
