// Nobody knows what a function does that a pointer from outside leads to.
//@ verdict: unknown
//@ reason: the function that `f` leads to
#include <selvedge.h>

int main(void)
{
    int (*f)(int);
    selvedge_outside(&f, sizeof f, "f");
    if (f)
        return f(3);
    return 0;
}
