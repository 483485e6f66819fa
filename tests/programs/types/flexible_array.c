// A structure that ends in an array whose length the allocation decides.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

struct message {
    int length;
    char text[];
};

int main(void)
{
    struct message *m = malloc(sizeof *m + 3);
    m->length = 3;
    klee_make_symbolic(m->text, 3, "text");
    int n_blanks = 0;
    for (int i = 0; i < m->length; i++)
        n_blanks += m->text[i] == ' ';
    assert(n_blanks <= 3);
    free(m);
    return 0;
}
