// The copy stops when the room is used up; what was copied is a prefix of the string.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static void copy(char *to, const char *from, unsigned room)
{
    while (--room && *from)
        *to++ = *from++;
    *to = 0;
}

int main(void)
{
    char name[8], label[5];
    klee_make_symbolic(name, sizeof name, "name");
    klee_assume(name[7] == 0);
    copy(label, name, sizeof label);
    unsigned n = 0;
    for (; label[n]; n++)
        assert(label[n] == name[n]);
    assert(n == 4 || name[n] == 0);
    return 0;
}
