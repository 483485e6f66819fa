// std::list, std::unordered_map and std::deque; the order of a hash table's elements is that of the real library.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <cassert>
#include <deque>
#include <functional>
#include <list>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

template <class List> static int digits(const List &list)
{
    int n = 0;
    for (int x : list)
        n = 10 * n + x;
    return n;
}

static void lists()
{
    std::list<int> list{3, 1, 2}, other{9, 8}, empty;
    list.push_front(4);
    list.insert(std::next(list.begin()), 5);
    assert(digits(list) == 45312);
    list.erase(list.begin());
    list.reverse();
    assert(digits(list) == 2135);
    list.sort();
    assert(digits(list) == 1235);
    list.splice(list.begin(), other);
    assert(digits(list) == 981235 && other.empty());
    list.splice(list.end(), list, list.begin());
    assert(digits(list) == 812359);
    list.swap(empty);
    assert(list.empty() && digits(empty) == 812359);
    list.swap(empty);
    std::list<int> two{7, 7};
    list.swap(two);
    assert(digits(list) == 77 && digits(two) == 812359);
    list.unique();
    list.merge(two);
    list.remove(1);
    assert(list.size() == 6);
}

static void tables()
{
    std::unordered_map<int, int> map;
    for (int i = 0; i < 40; i++)
        map[i * 7] = i;
    assert(map.size() == 40 && map.bucket_count() == 59);
    for (int i = 0; i < 40; i += 2)
        assert(map.erase(i * 7) == 1);
    assert(map.size() == 20 && map.count(7) == 1 && map.count(14) == 0);
    int key = __VERIFIER_nondet_int();
    __VERIFIER_assume(key >= 0 && key < 8);
    assert(map.count(key) == (key == 7));
    std::unordered_set<int> set{5, 20, 1};
    assert(set.bucket_count() == 13 && *set.begin() == 1);
    set.reserve(50);
    assert(set.bucket_count() == 53);
}

static void hashes()
{
    if (sizeof(std::size_t) == 4)
        return;
    std::hash<std::string_view> hash;
    assert(hash("") == 6142509188972423790u);
    assert(hash("selvedge") == 2149393926167153233u);
    assert(hash("a warp and a weft") == 10138907672682330172u);
}

int main()
{
    lists();
    tables();
    hashes();
    std::deque<int> queue;
    for (int i = 0; i < 200; i++)
        queue.push_back(i);
    while (queue.size() > 1) {
        assert(queue.front() == 200 - (int)queue.size());
        queue.pop_front();
    }
    assert(queue.back() == 199);
    return 0;
}
