// Reversing a list of up to five nodes takes a node of value 0 for the end and loses it and all behind it.
//@ verdict: unsafe(assert)
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
    while (head && head->value != 0) {
        struct node *next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    return done;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    struct node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *new = malloc(sizeof *new);
        new->value = __VERIFIER_nondet_int();
        new->next = list;
        list = new;
    }
    int length = 0;
    for (struct node *p = reverse(list); p; p = p->next)
        length++;
    assert(length == n); //~ BUG!
    return 0;
}
