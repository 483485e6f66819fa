// Places one past the end that are not accessed, and arrays at the end of a struct that stand for any number of elements.
//@ verdict: safe
//@ flags: --check default,bounds,align
#include <stdlib.h>
#include <string.h>
#include "../inputs.h"

struct flexible {
    int n;
    char text[];
};

struct old {
    int n;
    char text[1];
};

int a[2][4];

int main(void)
{
    int *end = &a[0][4];
    for (int *p = a[0]; p != end; p++)
        *p = 1;
    struct flexible *f = malloc(sizeof *f + 4);
    struct old *o = malloc(sizeof *o + 4);
    if (!f || !o)
        return 0;
    for (int i = 0; i < 4; i++)
        f->text[i] = o->text[i] = 'x';
    int n;
    SYMBOLIC(n);
    if (n < 1 || n > 3)
        return 0;
    int v[n];
    v[n - 1] = 0;
    memset(a, 0, sizeof a);
    int first = f->text[3] + v[n - 1];
    free(f);
    free(o);
    return first;
}
