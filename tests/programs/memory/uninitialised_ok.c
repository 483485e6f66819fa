// An uninitialised value that decides nothing is no error.
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

struct record {
    char tag;
    int value;
    char rest[5];
};

int main(void)
{
    struct record a, *b = malloc(sizeof *b);
    a.value = 3;
    a.tag = 1;
    *b = a; // copies padding and unset bytes too
    assert(b->value == 3 && b->tag == 1);
    b->rest[2] = 4;
    a = *b;
    assert(a.rest[2] == 4);
    free(b);
    return 0;
}
