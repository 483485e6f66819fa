// A format that the run-time does not model makes the verdict unknown, not wrong.
//@ verdict: unknown
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[20];
    sprintf(buf, "%2$d %1$d", 1, 2);
    assert(strcmp(buf, "2 1") == 0);
    return 0;
}
