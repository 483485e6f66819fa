// qsort of three symbolic keys sorts them and keeps what belongs to each.
// 3! = 6 paths: the comparison function does not branch, and the run-time branches once for each comparison.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=6 full=6
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

struct entry {
    int key;
    char label;
};

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

int main(void)
{
    int keys[3];
    SYMBOLIC(keys);
    struct entry entries[3];
    for (int i = 0; i < 3; i++)
        entries[i] = (struct entry){keys[i], (char)('a' + i)};
    qsort(entries, 3, sizeof entries[0], by_key);
    int labels = 0;
    for (int i = 0; i < 3; i++) {
        assert(i == 0 || entries[i - 1].key <= entries[i].key);
        assert(entries[i].key == keys[entries[i].label - 'a']);
        labels += 1 << (entries[i].label - 'a');
    }
    assert(labels == 7);
    return 0;
}
