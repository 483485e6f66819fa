// A 4-byte read of which only the first two bytes are inside the allocation.
//@ verdict: unsafe(memory)
#include <stdlib.h>
#include <string.h>

struct pair {
    short a;
    int b __attribute__((packed));
};

int main(void)
{
    struct pair *p = malloc(4);
    memset(p, 1, 4);
    int r = p->a;
    r += p->b; //~ BUG!
    free(p);
    return r;
}
