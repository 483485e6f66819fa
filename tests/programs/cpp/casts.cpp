// `dynamic_cast` up, down and across a hierarchy with a base that is there twice, a virtual one and a private one;
// `typeid`; the exceptions of both.
//@ verdict: safe
//@ rev right:
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include "../inputs.h"
#include <cassert>
#include <typeindex>
#include <typeinfo>

struct Shape {
    virtual ~Shape() {}
};
struct Circle : Shape {
    int radius = 2;
};
struct Square : Shape {
    int side = 3;
};

struct Named {
    virtual const char *name() { return "?"; }
    int x = 1;
};
struct Left : virtual Named {
    int l = 2;
};
struct Right : virtual Named {
    int r = 3;
};
struct Both : Left, Right {
    const char *name() override { return "both"; }
};

struct Part {
    virtual ~Part() {}
};
struct One : Part {
    int one = 1;
};
struct Two : Part {
    int two = 2;
};
struct Hidden {
    virtual ~Hidden() {}
};
struct Whole : One, Two, private Hidden {
    Hidden *hidden() { return this; }
};

static int size_of(const Shape *shape)
{
    if (auto circle = dynamic_cast<const Circle *>(shape))
        return circle->radius;
#ifdef WRONG
    return static_cast<const Circle *>(dynamic_cast<const Square *>(shape) ? nullptr : shape) != nullptr;
#else
    return dynamic_cast<const Square &>(*shape).side;
#endif
}

static void trees()
{
    Circle circle;
    Square square;
    int which = __VERIFIER_nondet_int();
    const Shape *shape = which > 0 ? static_cast<Shape *>(&circle) : &square;
    assert(size_of(shape) == (which > 0 ? 2 : 3));
    assert((typeid(*shape) == typeid(Circle)) == (which > 0));
    assert(typeid(shape) == typeid(const Shape *) && typeid(int) != typeid(long));
    assert(std::type_index(typeid(*shape)) == std::type_index(which > 0 ? typeid(Circle) : typeid(Square)));
    assert(typeid(circle).name()[1] == 'C' && typeid(circle).hash_code() != typeid(square).hash_code());
    assert(dynamic_cast<const void *>(shape) == shape);
    bool is_refused = false;
    Shape plain;
    try {
        (void)dynamic_cast<Circle &>(plain);
    } catch (const std::bad_cast &) {
        is_refused = true;
    }
    assert(is_refused);
    try {
        is_refused = false;
        Shape *none = nullptr;
        (void)typeid(*none);
    } catch (const std::bad_typeid &) {
        is_refused = true;
    }
    assert(is_refused && dynamic_cast<Circle *>(static_cast<Shape *>(nullptr)) == nullptr);
}

static void diamonds()
{
    Both both;
    Named *named = &both;
    Left *left = dynamic_cast<Left *>(named);
    assert(left == &both && left->l == 2);
    Right *right = dynamic_cast<Right *>(left);
    assert(right == &both && right->r == 3 && dynamic_cast<Both *>(right) == &both);
    assert(dynamic_cast<void *>(right) == &both);
    Right alone;
    assert(dynamic_cast<Left *>(static_cast<Named *>(&alone)) == nullptr);

    Whole whole;
    Part *part = static_cast<Two *>(&whole);
    assert(dynamic_cast<Two *>(part) == &whole && dynamic_cast<Whole *>(part) == &whole);
    assert(dynamic_cast<One *>(part) == static_cast<One *>(&whole));
    One *one = &whole;
    assert(dynamic_cast<Part *>(one) == one);
    assert(dynamic_cast<Part *>(dynamic_cast<Two *>(one)) == part);
    // Out of the private base there is no way, and none into it.
    assert(dynamic_cast<Whole *>(whole.hidden()) == nullptr && dynamic_cast<One *>(whole.hidden()) == nullptr);
    assert(dynamic_cast<Hidden *>(part) == nullptr);
}

int main()
{
    trees();
    diamonds();
    return 0;
}
