// Virtual functions, constructors, destructors and overriding through a base class.
//@ verdict: safe
#include "../inputs.h"
#include <cassert>

struct Shape {
    explicit Shape(int size) : size(size) { ++n_alive; }
    virtual ~Shape() { --n_alive; }
    virtual int area() const = 0;
    virtual const char *name() const { return "shape"; }
    int size;
    static int n_alive;
};
int Shape::n_alive = 0;

struct Square : Shape {
    using Shape::Shape;
    int area() const override { return size * size; }
    const char *name() const override { return "square"; }
};

struct Bar : Shape {
    Bar(int size, int height) : Shape(size), height(height) {}
    int area() const override { return size * height; }
    int height;
};

int main()
{
    int which = __VERIFIER_nondet_int();
    signed char size = __VERIFIER_nondet_schar();
    Shape *s = which > 0 ? static_cast<Shape *>(new Square(size)) : new Bar(size, 2);
    assert(Shape::n_alive == 1);
    assert(s->area() == (which > 0 ? size * size : 2 * size));
    assert(s->name()[1] == (which > 0 ? 'q' : 'h'));
    delete s;
    assert(Shape::n_alive == 0);
    return 0;
}
