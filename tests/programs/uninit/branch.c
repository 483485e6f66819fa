// What an execution shows depends on a value that was never written.
//@ verdict: unsafe(uninit)
//@ flags: --check default,uninit
//@ rev branch:
//@ clang[branch]: -DBRANCH
//@ rev choice:
//@ clang[choice]: -DCHOICE
//@ rev address:
//@ clang[address]: -DADDRESS
//@ rev number:
//@ clang[number]: -DNUMBER
//@ rev text:
//@ clang[text]: -DTEXT
//@ rev heap:
//@ clang[heap]: -DHEAP
//@ rev length:
//@ clang[length]: -DLENGTH
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    int y, table[4] = {1, 2, 3, 4};
    char text[4];
#if defined BRANCH
    if (y > 3)
        puts("large");
#elif defined CHOICE
    switch (y) {
    case 1:
        puts("one");
    }
#elif defined ADDRESS
    return table[y & 3];
#elif defined NUMBER
    printf("%d\n", y);
#elif defined TEXT
    fwrite(text, 1, 2, stdout);
#elif defined HEAP
    int *block = malloc(sizeof *block);
    if (block && *block)
        puts("set");
#else
    text[3] = 0;
    return strlen(text);
#endif
    return 0;
}
