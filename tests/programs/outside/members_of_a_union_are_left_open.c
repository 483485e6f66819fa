// Which member of a union is there is not known, so a pointer in it leads nowhere that is known.
//@ verdict: unknown
//@ reason: made of the bytes of an input
#include <selvedge.h>

union number { long n; int *p; };

int main(void)
{
    union number u;
    selvedge_outside(&u, sizeof u, "u");
    return *u.p;
}
