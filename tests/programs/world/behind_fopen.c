// What lies behind a successful fopen is not left out.
//@ verdict: unsafe(div)
//@ rev any:
//@ rev none: --no-files
//@ verdict[none]: safe
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("numbers", "r");
    if (!f)
        return 1;
    int n = 0;
    while (fgetc(f) != EOF)
        n++;
    fclose(f);
    return 100 / (n - 3); //~ BUG! div
}
