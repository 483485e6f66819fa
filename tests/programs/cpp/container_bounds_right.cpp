// What a container of C++ has may be used, up to its end.
//@ verdict: safe
//@ flags: --check default,bounds
#include <cassert>
#include <string>
#include <vector>

int main()
{
    std::vector<int> numbers{3, 1, 2};
    std::string text("ab");
    int sum = 0;
    for (std::size_t i = 0; i < numbers.size(); i++)
        sum += numbers[i];
    numbers.pop_back();
    assert(sum == 6 && numbers.back() == 1 && text[text.size()] == 0 && text.front() == 'a');
}
