// Division by a difference that can be zero.
//@ verdict: unsafe(div)
#include "../inputs.h"

int main(void)
{
    unsigned char a, b;
    SYMBOLIC(a);
    SYMBOLIC(b);
    return 100 / (a - b); //~ BUG!
}
