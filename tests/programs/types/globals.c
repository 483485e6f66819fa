// Globals initialised with addresses: of other globals, of elements and members, of functions, of strings.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct item {
    const char *name;
    int *counter;
    int (*step)(int);
};

static int counters[3] = {10, 20, 30};
static int twice(int x) { return 2 * x; }
static int negated(int x) { return -x; }

extern struct item items[2];
static struct item *second = &items[1];
static int *last = &counters[2];
static int **to_last = &last;
struct item items[2] = {
    {"twice", &counters[0], twice},
    {.name = "negated", .step = negated, .counter = counters + 1},
};
static const char *const text = "hello" + 1;
static struct {
    int a, b;
} pair = {.b = 7};
static int *inside = &pair.b;
static long zeros[100];

int main(void)
{
    unsigned char i;
    SYMBOLIC(i);
    assert(items[0].step(4) == 8 && second->step(4) == -4);
    *items[0].counter += i;
    assert(counters[0] == 10 + i && **to_last == 30 && *second->counter == 20);
    assert(text[0] == 'e' && items[1].name[2] == 'g');
    assert(*inside == 7 && pair.a == 0);
    assert(zeros[i % 100] == 0);
    return 0;
}
