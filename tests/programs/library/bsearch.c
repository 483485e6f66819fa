// bsearch for a symbolic key in a sorted table.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

static const short table[] = {-40, -3, 0, 7, 8, 120};

static int compare(const void *key, const void *element) { return *(const int *)key - *(const short *)element; }

int main(void)
{
    int key = __VERIFIER_nondet_short();
    const short *found = bsearch(&key, table, 6, sizeof table[0], compare);
    int present = 0;
    for (int i = 0; i < 6; i++)
        present |= table[i] == key;
    assert((found != NULL) == present);
    if (found)
        assert(*found == key);
    return 0;
}
