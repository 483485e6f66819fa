// strtod tells numbers that do not fit, and reads hexadecimal ones.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    const char *text = "0x1.8p3z";
    assert(strtod(text, &end) == 12 && end == text + 7 && errno == 0);
    assert(strtod("1e999", NULL) == HUGE_VAL && errno == ERANGE);
    errno = 0;
    assert(strtod("-1e-999", NULL) == 0 && errno == ERANGE);
    errno = 0;
    assert(strtof("1e39", NULL) == HUGE_VALF && errno == ERANGE);
    errno = 0;
    assert(isinf(strtod("-inf", NULL)) && isnan(strtod("nan(1)", &end)) && *end == 0 && errno == 0);
    return 0;
}
