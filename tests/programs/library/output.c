// Output of symbolic values does not branch: one path, whatever is printed.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=1 full=1
#include "../inputs.h"
#include <stdio.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    printf("%d %5u %x %c %s\n", x, (unsigned)x, (unsigned)x, x, "text");
    fprintf(stderr, "%d\n", x);
    puts("done");
    putchar('\n');
    fputs("end\n", stdout);
    fputc('x', stdout);
    fwrite("abc", 1, 3, stdout);
    return 0;
}
