// The assertion that fails stands two calls below main.
//@ verdict: unsafe(assert)
//~ INPUT age=-5
#include "../inputs.h"
#include <assert.h>

static void check(int age) { assert(age >= 0); } //~ BUG!

static void enter(int age)
{
    if (age < -5 || age > 150)
        return;
    check(age + 4);
}

int main(void)
{
    int age;
    SYMBOLIC(age);
    enter(age);
    return 0;
}
