// sprintf and snprintf: conversions on concrete values, and a symbolic number with two digits.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[64];
    assert(sprintf(buf, "%d|%5d|%-5d|%05d|%+d", 1, 2, 3, 4, 5) == 22);
    assert(strcmp(buf, "1|    2|3    |00004|+5") == 0);
    sprintf(buf, "%x %X %#x %o %u %c%% %s %.2s", 255, 255, 255, 8, 4000000000u, 'c', "text", "text");
    assert(strcmp(buf, "ff FF 0xff 10 4000000000 c% text te") == 0);
    sprintf(buf, "%lld %hhd %ld %*d", -9000000000ll, 300, -5l, 4, 7);
    assert(strcmp(buf, "-9000000000 44 -5    7") == 0);
    sprintf(buf, "%.2f %e %g", 3.14159, 12345.678, 0.5);
    assert(strcmp(buf, "3.14 1.234568e+04 0.5") == 0);
    assert(snprintf(buf, 4, "%s", "longer") == 6 && strcmp(buf, "lon") == 0);
    unsigned n;
    SYMBOLIC(n);
    klee_assume((n >= 10) & (n < 100));
    assert(snprintf(buf, sizeof buf, "n=%u", n) == 4);
    assert((unsigned)((buf[2] - '0') * 10 + buf[3] - '0') == n && buf[4] == 0);
    return 0;
}
