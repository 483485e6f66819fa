// Binary search finds exactly the keys that are there.
// Paths: one for each of the 7 keys that is found, and one for each of the 8 gaps around them.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=15 full=15
#include "../inputs.h"
#include <assert.h>

#define N 7
static const int numbers[N] = {2, 4, 6, 8, 11, 13, 17};

static int search(int key)
{
    int low = 0, high = N;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (numbers[middle] == key)
            return middle;
        if (numbers[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int main(void)
{
    int key;
    klee_make_symbolic(&key, sizeof key, "key");
    int present = 0;
    for (int i = 0; i < N; i++)
        present |= numbers[i] == key;
    int found = search(key) >= 0;
    assert(found == present);
    return 0;
}
