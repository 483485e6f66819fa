// An access past what was chosen says nothing about the program.
//@ verdict: unknown
//@ reason: more memory behind a pointer than was chosen
#include <selvedge.h>

int main(void)
{
    int *p;
    selvedge_outside(&p, sizeof p, "p");
    selvedge_assume(p != 0);
    for (int i = 0; i < 6; i++)
        p[i] = i;
    return 0;
}
