// Floating-point numbers from and to text.
//@ verdict: safe
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *end, buf[32];
    assert(strtod(" 1.25e2xyz", &end) == 125.0 && *end == 'x');
    assert(atof("-0.1") == -0.1 && strtod("none", &end) == 0.0 && *end == 'n');
    assert(strtof("0.1", NULL) == 0.1f);
    float f;
    double d;
    assert(sscanf("0.1 0.1", "%f%lf", &f, &d) == 2 && f == 0.1f && d == 0.1);
    snprintf(buf, sizeof buf, "%.17g", 0.1);
    assert(strcmp(buf, "0.10000000000000001") == 0);
    snprintf(buf, sizeof buf, "%-8.1f|%+e", 2.25, -1.0);
    assert(strcmp(buf, "2.2     |-1.000000e+00") == 0);
    return 0;
}
