// Moving unwritten bytes along, and computing what does not depend on them, is no fault.
//@ verdict: safe
//@ flags: --check default,uninit
#include <stdio.h>
#include <string.h>
#include "../inputs.h"

struct flags {
    unsigned a : 3;
    unsigned b : 5;
};

struct padded {
    char c;
    int i;
};

int main(void)
{
    int input;
    SYMBOLIC(input);
    struct flags f;
    f.a = 2;
    if (f.a != 2)
        puts("no");

    int array[4], other[4];
    array[1] = input;
    memcpy(other, array, sizeof other);
    if (other[1] == input)
        puts("same");
    if ((other[0] & 0) != 0 || (other[2] ^ other[2]) != 0)
        puts("never");

    struct padded p, q;
    p.c = 'x';
    p.i = input;
    q = p;
    printf("%c %d\n", q.c, q.i);
    return 0;
}
