// What handlers may use: volatile and atomic variables, locals, and constants.
//@ verdict: safe
//@ assumes: world.signals-bound
#include <assert.h>
#include <signal.h>
#include <stdatomic.h>

static volatile sig_atomic_t flag;
static atomic_int count;
static const int step = 1;

static void on_signal(int signal)
{
    int local[2] = {signal, step};
    flag = local[1];
    atomic_fetch_add(&count, local[1]);
}

int main(void)
{
    signal(SIGINT, on_signal);
    assert(flag <= 1);
    assert(count <= 1);
    return 0;
}
