// A modelled function that is called with a number where it takes a pointer, and one that is called through a pointer of
// another type.
//@ verdict: unsafe(memory)
//@ clang[direct]: -DDIRECT
//@ rev direct:
#include <stdlib.h>
int puts();

int main(void)
{
#ifdef DIRECT
    puts(1.5); //~ BUG! memory
#else
    void (*release)(double) = (void (*)(double))free;
    release(1.0); //~ BUG! memory
#endif
    return 0;
}
