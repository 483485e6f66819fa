// alloca: memory that lives until the function returns, in a loop too.
//@ verdict: safe
#include "../inputs.h"
#include <alloca.h>
#include <assert.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    int x = __VERIFIER_nondet_int();
    struct node *list = 0;
    for (int i = 0; i < 5; i++) {
        struct node *new = alloca(sizeof *new);
        new->value = x ^ i;
        new->next = list;
        list = new;
    }
    int i = 5;
    for (struct node *p = list; p; p = p->next)
        assert(p->value == (x ^ --i));
    assert(i == 0);
    return 0;
}
