// Reading a list node after it was freed, to find the next one.
//@ verdict: unsafe(memory)
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    for (struct node *p = list; p;) {
        free(p);
        p = p->next; //~ BUG!
    }
    return 0;
}
