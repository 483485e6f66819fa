// Which handler an exception has: bases, private, ambiguous and virtual ones; pointers and what they point to.
//@ verdict: safe
#include <cassert>

struct Left {
    int left = 1;
    virtual ~Left() {}
};
struct Right {
    int right = 2;
    virtual ~Right() {}
};
struct Both : Left, Right {
    int both = 3;
};
struct Hidden : private Right {};
struct LeftChild : Left {};
struct OtherChild : Left {};
struct Twice : LeftChild, OtherChild {};
struct FirstVirtual : virtual Right {};
struct SecondVirtual : virtual Right {};
struct Once : FirstVirtual, SecondVirtual {
    Once() { right = 9; }
};

struct FirstLeft : Left {};
struct SecondLeft : Left {};
struct HalfHidden : private FirstLeft, SecondLeft {};
struct Deep : LeftChild, OtherChild {};
struct Deeper : Deep, FirstLeft {};

template <typename T> static int catch_right(T thrown)
{
    try {
        throw thrown;
    } catch (Right &right) {
        return right.right;
    } catch (...) {
        return -1;
    }
}

template <typename T> static int catch_left(T thrown)
{
    try {
        throw thrown;
    } catch (Left &left) {
        return left.left;
    } catch (...) {
        return -1;
    }
}

template <typename C, typename T> static bool is_caught(T thrown)
{
    try {
        throw thrown;
    } catch (C) {
        return true;
    } catch (...) {
        return false;
    }
}

enum Colour { RED, GREEN };
static void function() {}

int main()
{
    assert(catch_right(Both()) == 2);
    assert(catch_left(Both()) == 1);
    assert(catch_right(Hidden()) == -1);
    assert(catch_left(Twice()) == -1);
    assert(catch_right(Once()) == 9);

    Both both;
    try {
        throw &both;
    } catch (Right *right) {
        assert(right == &both && right->right == 2);
    }
    Once once;
    try {
        throw &once;
    } catch (const Right *right) {
        assert(right->right == 9);
    }
    assert((is_caught<void *>(&both)));
    assert((is_caught<const char *>((char *)0)));
    assert(!(is_caught<char *>((const char *)0)));
    assert(!(is_caught<Right *>((const Both *)&both)));
    assert(!(is_caught<long>(1)));
    assert(!(is_caught<int>('c')));
    assert((is_caught<Colour>(GREEN)));
    assert(!(is_caught<int>(GREEN)));
    assert((is_caught<void (*)()>(function)));
    assert(!(is_caught<void *>(function)));
    assert((is_caught<Right *>(nullptr)));
    assert((is_caught<Right *>((Once *)0)));
    assert(catch_left(HalfHidden()) == -1);
    assert(catch_left(Deeper()) == -1);

    // A reference to a pointer is to the thrown one.
    int x = 5;
    try {
        throw &x;
    } catch (int *&p) {
        assert(p == &x);
    }
    return 0;
}
