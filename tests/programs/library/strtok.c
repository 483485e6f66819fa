// strtok, strdup and strncpy.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[] = "one,two;;three", *words[4];
    int n = 0;
    for (char *w = strtok(line, ",;"); w; w = strtok(NULL, ",;"))
        words[n++] = strdup(w);
    assert(n == 3 && strcmp(words[1], "two") == 0 && strcmp(words[2], "three") == 0);
    for (int i = 0; i < n; i++)
        free(words[i]);

    char text[4], *rest = text, *part;
    SYMBOLIC(text);
    text[3] = 0;
    int parts = 0;
    while ((part = strtok_r(rest, "-", &rest)))
        parts += strchr(part, '-') == NULL && *part;
    assert(parts <= 2);

    char field[6];
    memset(field, 'z', sizeof field);
    strncpy(field, "ab", 4);
    assert(memcmp(field, "ab\0\0zz", 6) == 0);
    strncpy(field, "abcdef", 3);
    assert(field[2] == 'c' && field[3] == 0);
    return 0;
}
