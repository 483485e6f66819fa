// In which order the library's own headers compute operands is not the user's question.
//@ verdict: safe
//@ assumes: world.memory-succeeds
#include <cassert>
#include <list>
#include <stack>

static bool is_small(const int &value) { return value < 10; }

int main()
{
    int numbers[] = {15, 7, 17, 4};
    std::list<int> list(numbers, numbers + 4);
    list.remove_if(is_small);
    assert(list.size() == 2 && list.front() == 15);
    std::stack<int> stack;
    stack.push(list.back());
    assert(stack.top() == 17);
    return 0;
}
