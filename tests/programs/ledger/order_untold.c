// Calls whose order makes no difference, and calls that the language does order.
//@ verdict: safe
//@ assumes: world.memory-succeeds
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    struct tree *left, *right;
};

static int counter;
static char text[] = "text";

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int next(void) { return ++counter; }

static int add(int *to, int more, int much_more) { return *to += more + much_more; }

static int at(const char *s, int i) { return s[i]; }

static int sum_of_copy(int n)
{
    int copy[3];
    for (int i = 0; i < 3; i++)
        copy[i] = n;
    return copy[0] + copy[1] + copy[2];
}

static struct tree *node(struct tree *left, struct tree *right)
{
    struct tree *made = malloc(sizeof *made);
    if (!made)
        abort();
    made->left = left;
    made->right = right;
    return made;
}

static int depth(const struct tree *tree)
{
    if (!tree)
        return 0;
    int left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

int main(void)
{
    assert(fib(6) == 8);
    assert(abs(-2) + abs(3) == 5);
    assert(strlen(text) * strlen(text + 1) == 12);
    assert(at(text, 0) - at(text, 3) == 0);
    assert(sum_of_copy(1) + sum_of_copy(2) == 9);
    struct tree *tree = node(node(0, 0), node(0, node(0, 0)));
    assert(depth(tree->left) + depth(tree->right) == 3);
    int a = next(), b = next();
    assert(a == 1 && b == 2);
    assert(next() == 3 && next() == 4);
    assert((next(), next()) == 6);
    int list[] = {counter, a};
    assert((next() == 7 ? next() : 0) == 8);
    int sum = 0;
    assert(add(&sum, counter, counter) == 16);
    return list[1] - 1;
}
