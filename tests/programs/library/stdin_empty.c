// Standard input that is given as empty: every reading function says so.
//@ verdict: safe
//@ flags: --sym-stdin 0 --no-files
#include <assert.h>
#include <stdio.h>

int main(void)
{
    char line[10];
    int n = 5;
    assert(getchar() == EOF && feof(stdin) && !ferror(stdin));
    assert(fgets(line, sizeof line, stdin) == NULL);
    assert(scanf("%d", &n) == EOF && n == 5);
    assert(fread(line, 1, 4, stdin) == 0);
    assert(fopen("file", "r") == NULL);
    return 0;
}
