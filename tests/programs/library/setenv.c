// Changes of the environment: what was set is found, what was taken out is not, and putenv keeps the text itself.
//@ verdict: safe
//@ rev closed: --sym-env 0
//@ assumes: library.getenv-kept world.memory-succeeds
//@ rev fails: --sym-env 0 --fail memory --fail-at-most 1
//@ verdict[fails]: unsafe(assert)
//@ assumes[fails]: library.getenv-kept
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    assert(setenv("A", "1", 0) == 0 && getenv("A") != NULL);
    assert(setenv("A", "22", 1) == 0 && strcmp(getenv("A"), "22") == 0);
    assert(setenv("A", "3", 0) == 0 && strcmp(getenv("A"), "22") == 0);
    assert(unsetenv("A") == 0 && getenv("A") == NULL);
    static char text[] = "Q=7";
    assert(putenv(text) == 0 && strcmp(getenv("Q"), "7") == 0);
    text[2] = '8';
    assert(strcmp(getenv("Q"), "8") == 0);
    assert(putenv("Q") == 0 && getenv("Q") == NULL);
    errno = 0;
    assert(setenv("", "x", 1) == -1 && errno == EINVAL);
    assert(setenv("a=b", "x", 1) == -1 && unsetenv("a=b") == -1 && setenv(NULL, "x", 1) == -1);
    assert(clearenv() == 0 && getenv("ANY") == NULL && getenv("") == NULL);
    assert(setenv("B", "x", 1) == 0 && strcmp(getenv("B"), "x") == 0);
    return 0;
}
