// Two bytes of symbolic standard input, read with getchar; then the end.
//@ verdict: unsafe(assert)
//@ flags: --sym-stdin 2
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = getchar(), b = getchar();
    assert(a != EOF && b != EOF && getchar() == EOF && feof(stdin));
    assert(!(a == 'o' && b == 'k')); //~ BUG!
    return 0;
}
