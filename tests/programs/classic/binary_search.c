// Binary search over a half-open range that shrinks its upper end as if the range were closed.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

#define N 7
static const int primes[N] = {2, 3, 5, 7, 11, 13, 17};

static int search(int key)
{
    int low = 0, high = N;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (primes[middle] == key)
            return middle;
        if (primes[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int key;
    klee_make_symbolic(&key, sizeof key, "key");
    int present = 0;
    for (int i = 0; i < N; i++)
        present |= primes[i] == key;
    int found = search(key) >= 0;
    assert(found == present); //~ BUG!
    return 0;
}
