// Sections and functions that other threads see as one step, by the conventions of SV-COMP.
//@ verdict: safe
//@ flags: --reduce dpor
//@ rev sections:
//@ rev function:
//@ clang[function]: -DFUNCTION
//@ rev none:
//@ clang[none]: -DNONE
//@ verdict[none]: unsafe(assert)
#include "../team.h"
#include <assert.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static volatile int counter;

void __VERIFIER_atomic_increment(void)
{
    counter++;
}

static void *increment(void *unused)
{
#ifdef FUNCTION
    __VERIFIER_atomic_increment();
#elif defined NONE
    counter++;
#else
    __VERIFIER_atomic_begin();
    counter++;
    __VERIFIER_atomic_end();
#endif
    return unused;
}

int main(void)
{
    run_team(3, increment);
    assert(counter == 3); //~ BUG!
    return 0;
}
