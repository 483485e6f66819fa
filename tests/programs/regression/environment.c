// The third parameter of main and `environ` are the variables that were given; if there may be others, they cannot be
// read.
//@ verdict: safe
//@ rev given: --env HOME=/root --env EMPTY= --sym-env 0
//@ rev open: --env HOME=/root
//@ verdict[open]: unknown
//@ reason[open]: the environment as a whole
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    assert(environment[0] && strcmp(environment[0], "HOME=/root") == 0);
    assert(strcmp(environment[1], "EMPTY=") == 0 && environment[2] == NULL);
    assert(environ == environment && *getenv("EMPTY") == 0 && getenv("OTHER") == NULL);
    setenv("OTHER", "x", 1);
    assert(strcmp(environ[2], "OTHER=x") == 0 && environ[3] == NULL);
    return 0;
}
