// abort() counts as a failed assertion.
//@ verdict: unsafe(assert)
//~ INPUT key=77
#include "../inputs.h"
#include <stdlib.h>

int main(void)
{
    int key;
    SYMBOLIC(key);
    if (key * 2 == 154 && key > 0)
        abort(); //~ BUG!
    return 0;
}
