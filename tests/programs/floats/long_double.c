// Concrete numbers of 80 bits: read from text, classified, compared.
//@ verdict: safe
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    long double x = strtold("0.1x", &end);
    assert(*end == 'x' && x == 0.1L && x != 0.1);
    assert(isfinite(x) && !isnan(x) && isnormal(x) && isinf(LDBL_MAX * x * 20));
    assert(fminl(x, 0.1) == 0.1L && fmaxl(x, 0.1) == 0.1 && fmaxl(NAN, x) == x);
    return 0;
}
