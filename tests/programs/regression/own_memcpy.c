// A program's own memcpy and memset are called, though clang has a built-in for them.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <stddef.h>

static int calls;

void *memcpy(void *to, const void *from, size_t n)
{
    calls++;
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = ((const volatile char *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    calls += 10;
    for (size_t i = 0; i < n; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}

int main(void)
{
    int a = 1, b;
    memcpy(&b, &a, sizeof a);
    memset(&a, 0, sizeof a);
    assert(b == 1 && a == 0);
    assert(calls == 0); //~ BUG!
    return 0;
}
