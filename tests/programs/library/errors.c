// errno, strerror, setlocale, getenv and signal behave as in the C locale with an empty environment.
//@ verdict: safe
//@ flags: --sym-env 0
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    assert(errno == 0);
    errno = ENOENT;
    assert(errno == 2 && strcmp(strerror(errno), "No such file or directory") == 0);
    assert(strcmp(setlocale(LC_ALL, ""), "C") == 0);
    assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
    assert(getenv("SELVEDGE_NO_SUCH_VARIABLE") == NULL);
    return 0;
}
