// A file that the program did not make may have any content: what only some content reaches is explored.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("config.txt", "r");
    if (!f)
        return 1;
    int a = fgetc(f), b = fgetc(f);
    fclose(f);
    assert(!(a == 'x' && b == '7')); //~ BUG! assert
    return 0;
}
