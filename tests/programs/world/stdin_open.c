// Standard input is open: any bytes, up to a bound that the verdict names.
//@ verdict: unsafe(assert)
//@ rev open:
//@ rev empty: --stdin /dev/null
//@ verdict[empty]: safe
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int n = 0, c;
    while ((c = getchar()) != EOF)
        n += c == 'a';
    assert(n != 2); //~ BUG! assert
    return 0;
}
