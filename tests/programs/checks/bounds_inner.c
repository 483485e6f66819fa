// Past an array inside a larger object.
//@ verdict: unsafe(bounds)
//@ flags: --check default,bounds
//@ rev row:
//@ clang[row]: -DROW
//@ rev member:
//@ clang[member]: -DMEMBER
//@ rev negative:
//@ clang[negative]: -DNEGATIVE
//@ rev empty:
//@ clang[empty]: -DEMPTY
//@ rev less:
//@ clang[less]: -DLESS
#include "../inputs.h"

struct record {
    int buf[4];
    int after;
};

int a[2][4];
struct record s;

int main(void)
{
    int i;
    SYMBOLIC(i);
    if (i < -1 || i > 5)
        return 0;
#if defined ROW
    return i == 5 ? a[0][i] : 0; //~ BUG! bounds
#elif defined MEMBER
    return i >= 0 ? s.buf[i] : 0; //~ BUG! bounds
#elif defined NEGATIVE
    return i < 4 ? a[1][i] : 0; //~ BUG! bounds
#elif defined EMPTY
    if (i < 0)
        return 0;
    int v[i]; //~ BUG! bounds
    return sizeof v == 4;
#else
    if (i > 0)
        return 0;
    int v[i + 1]; //~ BUG! bounds
    return sizeof v == 4;
#endif
}
