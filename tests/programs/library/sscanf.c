// sscanf: numbers, words, sets, counts, and a failed match; one symbolic digit.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a = 0, b = 0, n = 0;
    unsigned x = 0;
    char word[8], c;
    assert(sscanf("12 -7 ff", "%d%d%x", &a, &b, &x) == 3 && a == 12 && b == -7 && x == 255);
    assert(sscanf("key=value", "%3[a-z]=%7s%n", word, word, &n) == 2 && strcmp(word, "value") == 0 && n == 9);
    assert(sscanf("5 apples", "%d pears", &a) == 1 && a == 5);
    assert(sscanf("x", "%d", &a) == 0 && sscanf("", "%d", &a) == EOF);
    assert(sscanf("123", "%1d%*1d%c", &a, &c) == 2 && a == 1 && c == '3');
    double d;
    assert(sscanf("2.5e1", "%lf", &d) == 1 && d == 25.0);
    char text[3] = "1?";
    SYMBOLIC(text[1]);
    klee_assume((text[1] >= '0') & (text[1] <= '9'));
    assert(sscanf(text, "%d", &a) == 1 && a == 10 + text[1] - '0');
    return 0;
}
