// The variables of open_memstream are written by fflush and fclose, and by nothing else.
//@ rev careful:
//@ verdict[careful]: safe
//@ assumes[careful]: world.memory-succeeds
//@ rev early:
//@ clang[early]: -DEARLY
//@ verdict[early]: unsafe(assert)
//@ rev seek:
//@ clang[seek]: -DSEEK
//@ verdict[seek]: unsafe(memory)
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = NULL;
    size_t size = 77;
    FILE *f = open_memstream(&text, &size);
    assert(f && text == NULL && size == 77);
    fputs("abc", f);
#ifdef EARLY
    assert(size == 3);
#elif defined SEEK
    fseek(f, 0, SEEK_END);
    assert(text[0] == 'a');
#endif
    assert(text == NULL && size == 77);
    fflush(f);
    assert(size == 3 && strcmp(text, "abc") == 0);
    fputs("d", f);
    assert(size == 3);
    fclose(f);
    assert(size == 4 && strcmp(text, "abcd") == 0);
    free(text);
    return 0;
}
