// SIGABRT is an abort.
//@ verdict: unsafe(assert)
#include <signal.h>

int main(void)
{
    raise(SIGABRT); //~ BUG! assert
}
