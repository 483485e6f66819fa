// A program's own function wins over the library's of the same name, also with another meaning.
//@ verdict: safe
//@ clang: -fno-builtin
#include <assert.h>

int index = 3;
int getline(char *s, int limit) { return s[0] + limit; }
int strlen(const char *s) { return s[0] == 'a' ? 100 : 200; }
int abs(int x) { return x + 1; }

int main(void)
{
    char line[] = "a";
    assert(index == 3 && getline(line, 2) == 'a' + 2 && strlen("abc") == 100 && abs(-5) == -4);
    return 0;
}
