// Whatever is read as it was passed is right: promoted values, structures and unions, lists that are handed on.
//@ verdict: safe
//@ assumes: nothing
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
    int a, b;
};
struct number {
    double value;
};
union either {
    long integer;
    double number;
};

static double sum(int count, va_list list)
{
    double all = 0;
    while (count--)
        all += va_arg(list, double);
    return all;
}

static double mixed(int count, ...)
{
    va_list list;
    va_start(list, count);
    struct pair pair = va_arg(list, struct pair);
    double whole = va_arg(list, struct number).value;
    double part = va_arg(list, union either).number;
    float small = (float)va_arg(list, double);
    unsigned char letter = (unsigned char)va_arg(list, int);
    void *place = va_arg(list, void *);
    unsigned long size = va_arg(list, unsigned long);
    long double wide = va_arg(list, long double);
    double rest = sum(count, list);
    va_end(list);
    assert(place == 0);
    return pair.b + whole + part + small + letter + (double)size + (double)wide + rest;
}

int main(void)
{
    char text[64];
    struct pair pair = {1, 2};
    struct number number = {3};
    union either either = {.number = 4};
    assert(mixed(2, pair, number, either, 5.0F, 'a', (void *)0, sizeof(int), 6.0L, 7.0, 8.0) == 136);
    sprintf(text, "%c %hd %ld %5.1f %s %x", 'x', (short)3, 4L, 2.5F, "end", 15U);
    assert(strcmp(text, "x 3 4   2.5 end f") == 0);
    return 0;
}
