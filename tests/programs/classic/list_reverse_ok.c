// Reversing a list of up to five nodes keeps all nodes, in the opposite order.
// One path for each length: no branch depends on the values. A length outside 0..5 is cut off before: two more paths,
// as the two comparisons are two branches.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=8 full=8
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *reverse(struct node *head)
{
    struct node *done = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

int main(void)
{
    int values[5];
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    if (n > 5)
        return 0;
    struct node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *new = malloc(sizeof *new);
        new->value = values[i] = __VERIFIER_nondet_int();
        new->next = list;
        list = new;
    }
    int length = 0;
    for (struct node *p = reverse(list), *next; p; p = next) {
        assert(p->value == values[length]);
        length++;
        next = p->next;
        free(p);
    }
    assert(length == n);
    return 0;
}
