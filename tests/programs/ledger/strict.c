// With --strict an assumption is a reason for unknown; a program that needs none stays safe.
//@ flags: --strict
//@ rev allocates:
//@ clang[allocates]: -DALLOCATES
//@ verdict[allocates]: unknown
//@ reason[allocates]: --strict does not assume that memory can always be allocated
//@ rev explored: --malloc-may-fail
//@ clang[explored]: -DALLOCATES
//@ verdict[explored]: safe
//@ assumes[explored]: nothing
//@ rev plain:
//@ verdict[plain]: safe
//@ assumes[plain]: nothing
//@ rev fails:
//@ clang[fails]: -DALLOCATES -DFAILS
//@ verdict[fails]: unsafe(assert)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
#ifdef ALLOCATES
    char *p = malloc(1);
    if (!p)
        return 1;
    *p = 1;
#ifdef FAILS
    assert(*p == 2);                         //~ BUG! assert
#endif
    free(p);
#endif
    return 0;
}
