// String functions on a symbolic string of up to three characters.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <string.h>

int main(void)
{
    char s[4], copy[8];
    SYMBOLIC(s);
    s[3] = 0;
    size_t n = strlen(s);
    assert(n <= 3 && s[n] == 0);
    assert(strnlen(s, 2) == (n < 2 ? n : 2));
    strcpy(copy, s);
    assert(strcmp(copy, s) == 0 && strncmp(copy, s, 2) == 0);
    strcat(copy, "x");
    assert(strlen(copy) == n + 1 && copy[n] == 'x');
    assert(strcmp(copy, s) > 0 && strcmp(s, copy) < 0);
    char *blank = strchr(s, ' ');
    assert(!blank || (*blank == ' ' && blank < s + n));
    assert((strrchr(s, ' ') != 0) == (blank != 0));
    assert((strstr(s, " ") != 0) == (blank != 0));
    assert(strcspn(s, " ") == (blank ? (size_t)(blank - s) : n));
    return 0;
}
