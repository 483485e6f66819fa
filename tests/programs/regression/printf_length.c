// %n stores the length so far, and %a prints hexadecimal numbers.
//@ verdict: safe
//@ stdout: 0x1.8p+1 -0x1.ap-4|  0X1P+0
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int n = 0;
    signed char small = 0;
    char text[40];
    int all = printf("%a %.1a|%n%8A%hhn\n", 3.0, -0.1, &n, 1.0, &small);
    assert(n == 19 && small == 27 && all == 28);
    snprintf(text, sizeof text, "%012a", 3.0);
    assert(!strcmp(text, "0x00001.8p+1"));
    return 0;
}
