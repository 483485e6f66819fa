// A loop like strcpy's copies a string of up to seven characters into room for five.
//@ verdict: unsafe(memory)
#include "../inputs.h"

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++)) //~ BUG!
        ;
}

int main(void)
{
    char name[8], label[5];
    klee_make_symbolic(name, sizeof name, "name");
    klee_assume(name[7] == 0);
    copy(label, name);
    return 0;
}
