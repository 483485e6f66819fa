// Members, elements and freed-up padding: what is copied from unwritten memory can be anything.
//@ verdict: unsafe(assert)
//@ rev member:
//@ clang[member]: -DMEMBER
//@ rev element:
//@ clang[element]: -DELEMENT
//@ rev call:
//@ clang[call]: -DCALL
//@ rev result:
//@ clang[result]: -DRESULT
#include <assert.h>

struct pair {
    int a;
    int b;
};

struct pair whole = {7, 7};
int array[2] = {7, 7};

static void take(int value)
{
    array[0] = value;
}

static int give(void)
{
    int y;
    return y;
}

int main(void)
{
    int y;
    struct pair p;
    p.a = 7;
#if defined MEMBER
    whole = p;
#elif defined ELEMENT
    array[1] = y;
#elif defined CALL
    take(y);
#else
    array[0] = give();
#endif
    assert(whole.b == 7 && array[0] == 7 && array[1] == 7);
    return 0;
}
