// std::map and std::set against arrays: elements come and go, and after each step the order and the balance are right.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <cassert>
#include <map>
#include <set>

// The number of black nodes on every way down; no red node has a red child.
static int black_height(const std::_Rb_tree_node_base *node)
{
    if (!node)
        return 1;
    bool is_red = node->_M_color == std::_S_red;
    for (auto child : {node->_M_left, node->_M_right}) {
        assert(!child || child->_M_parent == node);
        assert(!child || !is_red || child->_M_color == std::_S_black);
    }
    int left = black_height(node->_M_left), right = black_height(node->_M_right);
    assert(left == right);
    return left + !is_red;
}

static const std::_Rb_tree_node_base *root(const std::_Rb_tree_node_base *end) { return end->_M_parent; }

enum { N = 24 };
static bool is_in[N];

static void check(std::set<int> &set)
{
    if (const std::_Rb_tree_node_base *top = root(set.end()._M_node)) {
        assert(top->_M_color == std::_S_black);
        black_height(top);
    }
    auto it = set.begin();
    for (int i = 0; i < N; i++) {
        if (is_in[i])
            assert(it != set.end() && *it++ == i);
    }
    assert(it == set.end());
    for (int i = N - 1; i >= 0; i--) {
        if (is_in[i])
            assert(*--it == i);
    }
    assert(it == set.begin());
}

static void toggle(std::set<int> &set, int key)
{
    if (is_in[key])
        assert(set.erase(key) == 1);
    else
        assert(set.insert(key).second);
    is_in[key] = !is_in[key];
    check(set);
}

int main()
{
    std::set<int> set;
    unsigned random = 1;
    for (int i = 0; i < 120; i++) {
        random = random * 1103515245 + 12345;
        toggle(set, random / 65536 % N);
    }
    for (int i = 0; i < N; i++) {
        if (is_in[i])
            toggle(set, i);
    }
    assert(set.empty());

    std::map<int, char> map{{3, 'c'}, {1, 'a'}, {2, 'b'}};
    int key = __VERIFIER_nondet_int();
    auto found = map.find(key);
    assert((found != map.end()) == (key >= 1 && key <= 3));
    if (found != map.end())
        assert(found->second == 'a' + key - 1);
    map[key] = 'x';
    assert(map.size() == (key >= 1 && key <= 3 ? 3u : 4u) && map.at(key) == 'x');
    return 0;
}
