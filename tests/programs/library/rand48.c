// Seeded, the numbers of the family of drand48 are those that POSIX specifies.
//@ verdict: safe
//@ executions: total=1 full=1
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand48(1);
    assert(drand48() == 0x1.5509292a202p-5);
    assert(lrand48() == 976015093);
    assert(mrand48() == -709454646);

    unsigned short own[3] = {0x330e, 1, 0};
    assert(erand48(own) == 0x1.5509292a202p-5);
    assert(nrand48(own) == 976015093);
    assert(jrand48(own) == -709454646);

    unsigned short *before = seed48((unsigned short[3]){0x330e, 1, 0});
    assert(before[0] == own[0] && before[1] == own[1] && before[2] == own[2]);
    assert(lrand48() == 89400484);
    lcong48((unsigned short[7]){0, 0, 1, 3, 0, 0, 5}); /* X' = 3X + 5 */
    assert(lrand48() == 3 << 15);
    srand48(1);
    assert(lrand48() == 89400484);
    return 0;
}
