// The loader passes the program's arguments to constructors, which is not modelled.
//@ verdict: unknown
//@ reason: constructor
#include <assert.h>

static int n_arguments;

__attribute__((constructor)) static void count(int argc, char **argv)
{
    (void)argv;
    n_arguments = argc;
}

int main(int argc, char **argv)
{
    (void)argv;
    assert(n_arguments == argc);
    return 0;
}
