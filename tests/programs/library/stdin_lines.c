// Lines and numbers from symbolic standard input.
//@ verdict: safe
//@ flags: --sym-stdin 3
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8];
    if (fgets(line, sizeof line, stdin)) {
        size_t n = strlen(line);
        assert(n <= 3);
        int value;
        if (sscanf(line, "%d", &value) == 1)
            assert(value >= -99 && value <= 999);
    }
    int c = getchar();
    if (c != EOF) {
        assert(ungetc(c, stdin) == c);
        assert(getchar() == c);
    }
    return 0;
}
