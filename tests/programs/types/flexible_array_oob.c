// The loop runs one further than the array at the end of the structure.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stdlib.h>

struct message {
    int length;
    char text[];
};

int main(void)
{
    struct message *m = malloc(sizeof *m + 3);
    m->length = 3;
    for (int i = 0; i <= m->length; i++)
        m->text[i] = 'x'; //~ BUG!
    free(m);
    return 0;
}
