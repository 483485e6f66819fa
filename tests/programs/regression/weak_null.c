// A weak symbol that nothing defines has the address null.
//@ verdict: safe
#include <assert.h>

extern void hook(void) __attribute__((weak));
extern int setting __attribute__((weak));

void (*table[])(void) = {hook};

int main(void)
{
    if (hook)
        hook();
    int *p = &setting;
    assert(p == 0);
    assert(table[0] == 0);
    return p ? *p : 0;
}
