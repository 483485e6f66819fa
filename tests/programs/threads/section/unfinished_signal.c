// A section that never comes to its end has installed no handler.
//@ verdict: safe
//@ rev none: --reduce none
//@ rev finished:
//@ clang[finished]: -DEND=(void)0
//@ verdict[finished]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <selvedge.h>
#include <signal.h>

#ifndef END
#define END selvedge_assume(0)
#endif

static int n;

static void handler(int signal)
{
    assert(signal == 0); //~ BUG!
}

static void *install(void *unused)
{
    selvedge_atomic_begin();
    n++;
    signal(SIGURG, handler);
    END;
    selvedge_atomic_end();
    return unused;
}

static void *send(void *unused)
{
    n++;
    raise(SIGURG);
    return unused;
}

int main(void)
{
    run_pair(install, send);
    return 0;
}
