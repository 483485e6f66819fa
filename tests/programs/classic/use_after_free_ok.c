// The session is written to only on paths on which it was not freed.
//@ verdict: safe
#include "../inputs.h"
#include <stdlib.h>

struct session {
    int id;
    int closed;
};

int main(void)
{
    int command, urgency;
    klee_make_symbolic(&command, sizeof command, "command");
    klee_make_symbolic(&urgency, sizeof urgency, "urgency");
    struct session *s = malloc(sizeof *s);
    s->id = 1;
    s->closed = 0;
    if (command == 7) {
        free(s);
        s = NULL;
    }
    if (urgency > 100 && s)
        s->closed = 1;
    free(s);
    return 0;
}
