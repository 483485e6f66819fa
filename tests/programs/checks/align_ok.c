// Packed members, copies and characters need no alignment.
//@ verdict: safe
//@ flags: --check default,align
#include <string.h>

struct __attribute__((packed)) packed {
    char c;
    int i;
};

int main(void)
{
    struct packed p = {'x', 7};
    char bytes[8] = {0};
    int i;
    memcpy(&i, bytes + 1, sizeof i);
    return p.i + i - 7;
}
