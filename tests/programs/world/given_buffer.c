// A buffer that is given to a stream must be large enough, and be there as long as the stream is.
//@ rev careful:
//@ verdict[careful]: safe
//@ rev small:
//@ clang[small]: -DSMALL
//@ verdict[small]: unsafe(memory)
//@ rev short:
//@ clang[short]: -DSHORT
//@ verdict[short]: unsafe(memory)
//@ rev freed:
//@ clang[freed]: -DFREED
//@ verdict[freed]: unsafe(memory)
//@ rev returned:
//@ clang[returned]: -DRETURNED
//@ verdict[returned]: unsafe(memory)
//@ rev at_exit:
//@ clang[at_exit]: -DAT_EXIT
//@ verdict[at_exit]: unsafe(memory)
#include <stdio.h>
#include <stdlib.h>

static char large[BUFSIZ];

static void local(FILE *f)
{
    char buf[64];
    setvbuf(f, buf, _IOFBF, sizeof buf);
}

int main(void)
{
    FILE *f = fopen("f", "w");
    if (!f)
        return 1;
#ifdef SMALL
    char small[100];
    setbuf(f, small);
#elif defined SHORT
    char small[100];
    setvbuf(f, small, _IOFBF, 101);
#elif defined FREED
    char *buf = malloc(100);
    if (!buf)
        return 1;
    setvbuf(f, buf, _IOFBF, 100);
    fputs("x", f);
    free(buf);
#elif defined RETURNED
    local(f);
    fputs("x", f);
#elif defined AT_EXIT
    char on_stack[BUFSIZ];
    setbuf(stdout, on_stack);
    printf("x");
#else
    setbuf(f, large);
    fputs("x", f);
    char own[10];
    setvbuf(stdout, own, _IOFBF, sizeof own);
    printf("x");
    setvbuf(stdout, NULL, _IONBF, 0);
#endif
    (void)local;
    (void)large;
    fclose(f);
    return 0;
}
