// Two nodes whose members lead to each other.
//@ verdict: unsafe(assert)
#include <selvedge.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *a, *b;
    selvedge_outside(&a, sizeof a, "a");
    selvedge_outside(&b, sizeof b, "b");
    selvedge_assume(a && b && a != b && a->next && b->next);
    a->value = 1;
    b->value = 2;
    a->next->value = 3;
    b->next->value = 4;
    selvedge_assert(a->value != 4 || b->value != 3); //~ BUG! assert
    return 0;
}
