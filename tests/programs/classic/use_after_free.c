// A session that one branch frees is written to behind another branch.
//@ verdict: unsafe(memory)
//~ INPUT command=7
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
    if (command == 7)
        free(s);
    if (urgency > 100)
        s->closed = 1; //~ BUG!
    if (command != 7)
        free(s);
    return 0;
}
