// Whoever reads a pipe sees when a stream writes to it: later than here, unless the stream is flushed or unbuffered.
//@ verdict: safe
//@ rev held:
//@ clang[held]: -DHELD
//@ assumes[held]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev moved:
//@ clang[moved]: -DMOVED
//@ assumes[moved]: world.io-succeeds world.stdio-unbuffered
//@ rev ahead:
//@ clang[ahead]: -DAHEAD
//@ assumes[ahead]: world.io-succeeds world.memory-succeeds world.stdio-unbuffered
//@ rev unbuffered:
//@ assumes[unbuffered]: world.io-succeeds world.memory-succeeds
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char c;
    assert(pipe(ends) == 0);
    assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
#ifdef MOVED
    dup2(ends[1], 1);
    putchar('x');
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
#elif defined AHEAD
    FILE *in = fdopen(ends[0], "r");
    assert(write(ends[1], "xy", 2) == 2);
    assert(fgetc(in) == 'x' && read(ends[0], &c, 1) == 1 && c == 'y');
    fclose(in);
#else
    FILE *out = fdopen(ends[1], "w");
#ifndef HELD
    setvbuf(out, NULL, _IONBF, 0);
#endif
    fputc('x', out);
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    fclose(out);
#endif
    return 0;
}
