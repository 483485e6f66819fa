// Pointers that are copied word by word stay pointers, and what they point to becomes shared by the copy: the reader
// follows those it has seen, and the copies are freed in the end.
//@ verdict: safe
//@ flags: --check default,leak
#include "../team.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct links {
    int *first, *second;
};

static struct links from, to;

static void *publish(void *unused)
{
    struct links own = {malloc(sizeof(int)), malloc(sizeof(int))};
    *own.first = 1;
    *own.second = 2;
    from = own;
    memcpy(&to, &from, sizeof to);
    return unused;
}

static void *follow(void *unused)
{
    int *first = to.first, *second = from.second;
    assert(!first || *first == 1);
    assert(!second || *second == 2);
    if (second)
        *second = 2;
    return unused;
}

int main(void)
{
    run_pair(publish, follow);
    assert(*to.first == 1 && *to.second == 2);
    free(to.first);
    free(to.second);
    return 0;
}
