// Exceptions: what is caught where, destructors on the way, and handlers that throw again.
//@ verdict: safe
#include "../inputs.h"
#include <cassert>
#include <stdexcept>
#include <vector>

static int n_alive;

struct Guard {
    Guard() { n_alive++; }
    Guard(const Guard &) { n_alive++; }
    ~Guard() { n_alive--; }
};

struct Error {
    int code;
    Guard guard;
};

static int work(int which)
{
    Guard guard;
    std::vector<int> few(3);
    switch (which) {
    case 0:
        throw 42;
    case 1:
        throw "text";
    case 2:
        throw Error{7, Guard()};
    case 3:
        throw std::out_of_range("far");
    case 4:
        return few.at(which);
    default:
        return which;
    }
}

static int caught(int which)
{
    Guard guard;
    try {
        return work(which);
    } catch (int number) {
        return number;
    } catch (const char *text) {
        return text[0];
    } catch (const Error &error) {
        assert(n_alive == 2);
        return error.code;
    } catch (const std::logic_error &error) {
        return error.what()[0];
    }
}

static int again(int which)
{
    int n = 0;
    try {
        try {
            work(which);
        } catch (int) {
            n++;
            throw;
        } catch (const std::exception &) {
            n++;
            throw std::runtime_error("another");
        }
    } catch (const std::runtime_error &error) {
        n += error.what()[0] == 'a' ? 10 : 0;
    } catch (...) {
        n += 20;
    }
    return n;
}

int main()
{
    int which = __VERIFIER_nondet_int();
    if (which < 0 || which > 5)
        return 0;
    const int expected[] = {42, 't', 7, 'f', 'v', 5};
    const int expected_again[] = {21, 20, 20, 11, 11, 0};
    assert(caught(which) == expected[which]);
    assert(n_alive == 0);
    assert(again(which) == expected_again[which]);
    assert(n_alive == 0);
    return 0;
}
