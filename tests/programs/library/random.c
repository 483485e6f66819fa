// rand gives any number from 0 to RAND_MAX, whatever the seed; time never goes back.
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t before = time(NULL);
    srand((unsigned)before);
    int die = rand() % 6 + 1;
    assert(die >= 1 && die <= 6);
    assert(time(NULL) >= before && before >= 0);
    clock_t c = clock();
    assert(clock() >= c);
    return 0;
}
