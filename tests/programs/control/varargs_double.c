// Variable arguments: doubles beside integers, in registers and on the stack; a float arrives as a double.
//@ verdict: safe
#include <assert.h>
#include <stdarg.h>

static double sum(const char *kinds, ...)
{
    double total = 0;
    va_list args;
    va_start(args, kinds);
    for (; *kinds; kinds++)
        total += *kinds == 'd' ? va_arg(args, double) : va_arg(args, int);
    va_end(args);
    return total;
}

int main(void)
{
    float half = 0.5f;
    assert(sum("") == 0.0);
    assert(sum("didi", 1.5, 2, (double)half, 4) == 8.0);
    assert(sum("dddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., half) == 66.5);
    assert(sum("iiiiiiiid", 1, 2, 3, 4, 5, 6, 7, 8, 0.25) == 36.25);
    return 0;
}
