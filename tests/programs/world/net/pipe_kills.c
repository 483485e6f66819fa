// Without a handler, SIGPIPE ends the program.
//@ verdict: safe
#include <assert.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    pipe(ends);
    close(ends[0]);
    write(ends[1], "x", 1);
    assert(0);
}
