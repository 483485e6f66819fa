// Wide characters, trees of search.h, complex numbers and classes of numbers as functions.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern double __VERIFIER_nondet_double(void);
extern int __isnan(double), __isinf(double), __finite(double);

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void)
{
    wchar_t text[16];
    assert(mbstowcs(text, "hello", 16) == 5 && wcscmp(text, L"hello") == 0);
    assert(wcslen(wcscat(text, L" you")) == 9 && wcschr(text, L'y') == text + 6);
    assert(wcstol(L"-42x", NULL, 10) == -42 && iswalpha(L'q') && !iswalpha(0xe9));
    errno = 0;
    char bytes[4];
    assert(wctomb(bytes, 0xe9) == -1 && errno == EILSEQ);

    int keys[] = {2, 1, 3}, wanted = __VERIFIER_nondet_int();
    void *root = NULL;
    for (int i = 0; i < 3; i++)
        assert(tsearch(&keys[i], &root, by_number));
    __VERIFIER_assume(wanted >= 0 && wanted < 10);
    assert(!tfind(&wanted, &root, by_number) == (wanted < 1 || wanted > 3));
    for (int i = 0; i < 3; i++)
        assert(tdelete(&keys[i], &root, by_number));
    assert(!root);

    double complex z = 3 + 4 * _Complex_I, q = z / (1 - 2 * _Complex_I);
    assert(cabs(z) == 5 && creal(q) == -1 && cimag(q) == 2 && cimag(conj(z)) == -4);

    double x = __VERIFIER_nondet_double();
    assert(__isnan(x) + !!__isinf(x) + __finite(x) == 1);
    return 0;
}
