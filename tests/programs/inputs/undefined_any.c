// A function without a body makes the verdict unknown, or returns any value and writes nothing.
//@ verdict: unsafe(assert)
//@ rev any: --undefined any
//@ rev unknown: --undefined unknown
//@ verdict[unknown]: unknown
//@ reason[unknown]: call of `describe`, which is defined nowhere
#include <assert.h>

struct pair {
    long a;
    int b;
};
void describe(int *number);
struct pair measure(void);
int *locate(void);

int main(void)
{
    int number = 3;
    describe(&number);
    assert(number == 3);
    struct pair p = measure();
    if (p.a == 7 && p.b == -2)
        assert(locate() != &number); //~ BUG!
    return 0;
}
