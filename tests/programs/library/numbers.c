// strtol and its kin: bases, ends, limits, and two symbolic digits.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    char *end;
    assert(strtol("  -42x", &end, 10) == -42 && *end == 'x');
    assert(strtol("0x1F", NULL, 0) == 31 && strtol("017", NULL, 0) == 15 && strtol("zz", NULL, 36) == 1295);
    assert(strtoul("4294967295", NULL, 10) == 4294967295u);
    errno = 0;
    assert(strtoll("99999999999999999999", NULL, 10) == LLONG_MAX && errno == ERANGE);
    assert(strtol("none", &end, 10) == 0 && *end == 'n');
    assert(atoi("-7") == -7 && atol("12") == 12 && abs(-3) == 3 && div(17, 5).rem == 2);
    char text[3];
    SYMBOLIC(text);
    klee_assume((text[0] >= '0') & (text[0] <= '9') & (text[1] >= '0') & (text[1] <= '9'));
    text[2] = 0;
    assert(atoi(text) == 10 * (text[0] - '0') + (text[1] - '0'));
    return 0;
}
