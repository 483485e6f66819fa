// A tree of two hundred nodes, built, summed up and freed.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

struct tree {
    int value;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int value)
{
    if (!t) {
        t = malloc(sizeof *t);
        t->value = value;
        t->left = t->right = NULL;
    } else if (value < t->value) {
        t->left = insert(t->left, value);
    } else {
        t->right = insert(t->right, value);
    }
    return t;
}

static int sum(const struct tree *t) { return t ? sum(t->left) + t->value + sum(t->right) : 0; }

static void destroy(struct tree *t)
{
    if (t) {
        destroy(t->left);
        destroy(t->right);
        free(t);
    }
}

int main(void)
{
    struct tree *t = NULL;
    for (int i = 0; i < 200; i++)
        t = insert(t, i * 37 % 200);
    assert(sum(t) == 19900);
    t = insert(t, __VERIFIER_nondet_uchar() % 2 ? 1000 : -1000);
    int total = sum(t);
    assert(total == 20900 || total == 18900);
    destroy(t);
    return 0;
}
