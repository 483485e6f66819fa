// Pointers to pointers: a list that inserts in order through the address of a link.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static void insert(struct node **link, struct node *new)
{
    while (*link && (*link)->value < new->value)
        link = &(*link)->next;
    new->next = *link;
    *link = new;
}

int main(void)
{
    struct node *list = NULL, nodes[4];
    for (int i = 0; i < 4; i++) {
        nodes[i].value = __VERIFIER_nondet_int();
        insert(&list, &nodes[i]);
    }
    int n = 1;
    for (struct node *p = list; p->next; p = p->next, n++)
        assert(p->value <= p->next->value);
    assert(n == 4);
    int x = 1, y = 2, *p = &x, **pp = &p;
    *pp = &y;
    **pp = 5;
    assert(x == 1 && y == 5 && *p == 5);
    return 0;
}
