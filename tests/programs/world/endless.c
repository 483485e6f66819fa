// A call that takes a text of any length takes more than the bound of standard input, if its buffer has room for that.
//@ verdict: unsafe(memory)
//@ rev gets:
//@ clang[gets]: -DGETS
//@ rev set:
//@ clang[set]: -DSET
//@ rev given: --sym-stdin 8
//@ verdict[given]: safe
//@ rev large:
//@ clang[large]: -DROOM=8000
//@ verdict[large]: safe
//@ rev wide:
//@ clang[wide]: -DWIDE
//@ verdict[wide]: safe
#include <stdio.h>

#ifndef ROOM
#define ROOM 30
#endif

char *gets(char *);

int main(void)
{
    char text[ROOM];
#if defined GETS
    gets(text);
#elif defined SET
    scanf("%[^\n]", text);
#elif defined WIDE
    scanf("%29s", text);
#else
    scanf("%s", text);
#endif
    return 0;
}
