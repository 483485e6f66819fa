// Pointers that are only moved are not decided.
//@ verdict: safe
//@ executions: total=1
//@ assumes: nothing
#include <selvedge.h>

struct pair { int *a, *b; };

int main(void)
{
    struct pair p;
    selvedge_outside(&p, sizeof p, "p");
    int *held = p.a;
    p.a = p.b;
    p.b = held;
    selvedge_assert(p.b == held);
    return 0;
}
