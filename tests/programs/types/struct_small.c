// Small structures by value: passed and returned in registers, in two registers, with mixed members.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct pair {
    int x, y;
};
struct mixed {
    char tag;
    double weight;
};
struct three {
    char bytes[3];
};
struct one {
    short only;
};

static struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }
static struct mixed heavier(struct mixed m) { return (struct mixed){(char)(m.tag + 1), m.weight * 2}; }
static struct three rotate(struct three t) { return (struct three){{t.bytes[1], t.bytes[2], t.bytes[0]}}; }
static struct one next(struct one o) { return (struct one){(short)(o.only ^ 1)}; }

int main(void)
{
    struct pair p;
    struct three t;
    struct one o;
    SYMBOLIC(p);
    SYMBOLIC(t);
    SYMBOLIC(o);
    struct pair q = swap(p);
    assert(q.x == p.y && q.y == p.x);
    assert(swap(swap(p)).x == p.x);
    struct mixed m = heavier((struct mixed){'a', 1.5});
    assert(m.tag == 'b' && m.weight == 3.0);
    struct three r = rotate(rotate(rotate(t)));
    assert(r.bytes[0] == t.bytes[0] && r.bytes[1] == t.bytes[1] && r.bytes[2] == t.bytes[2]);
    assert(next(next(o)).only == o.only);
    return 0;
}
