// Layouts with 32-bit pointers: sizes of types and structures, offsets, arithmetic of size_t.
//@ verdict: safe
//@ clang: -m32
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

struct mixed {
    char c;
    long long wide; /* aligned to 4 on this target */
    void *pointer;
    double number;
};

int main(void)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4 && sizeof(long long) == 8);
    assert(sizeof(struct mixed) == 24);
    assert(offsetof(struct mixed, wide) == 4 && offsetof(struct mixed, pointer) == 12 && offsetof(struct mixed, number) == 16);
    struct mixed *m = malloc(2 * sizeof *m);
    SYMBOLIC(m[1].wide);
    m[1].pointer = &m[0];
    m[0] = m[1];
    assert(m[0].wide == m[1].wide && m[0].pointer == m);
    size_t n;
    SYMBOLIC(n);
    assert(n + 1 > n || n == 0xffffffffu);
    long big = 0x7fffffff;
    assert((unsigned long)big + 1 == 0x80000000ul);
    free(m);
    return 0;
}
