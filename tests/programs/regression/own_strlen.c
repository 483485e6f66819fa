// clang computes strlen of a literal and abs of a constant; not if the program has its own.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <stddef.h>

size_t strlen(const char *s)
{
    (void)s;
    return 42;
}

int abs(int x) { return x + 1; }

int main(void)
{
    assert(abs(-7) == -6);
    assert(strlen("abc") == 3); //~ BUG!
    return 0;
}
