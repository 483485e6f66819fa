// What is still reachable at the end through a global, also indirectly, is no leak.
//@ verdict: safe
//@ flags: --check leak
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *cache;

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct node *new = malloc(sizeof *new);
        new->value = i;
        new->next = cache;
        cache = new;
    }
    int *temporary = malloc(16);
    temporary[0] = 1;
    free(temporary);
    return 0;
}
