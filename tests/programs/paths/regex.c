// A matcher for small patterns (letters, `.`, `*`) on six symbolic bytes.
// The text is only ever compared with NUL and with the letters of the pattern, so all texts over {NUL, a, b, x}, where x
// stands for any other byte, take all paths there are; running them (tests/native/count_paths.c) gives 158.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=158 full=158
#include "../inputs.h"
#include <assert.h>

#define N 6

static int matches_here(const char *pattern, const char *text);

/* Any number of `c`, then the rest of the pattern. */
static int matches_star(char c, const char *pattern, const char *text)
{
    for (;;) {
        if (matches_here(pattern, text))
            return 1;
        if (*text == 0)
            return 0;
        if (c != '.' && *text != c)
            return 0;
        text++;
    }
}

static int matches_here(const char *pattern, const char *text)
{
    if (pattern[0] == 0)
        return 1;
    if (pattern[1] == '*')
        return matches_star(pattern[0], pattern + 2, text);
    if (*text == 0)
        return 0;
    if (pattern[0] != '.' && pattern[0] != *text)
        return 0;
    return matches_here(pattern + 1, text + 1);
}

static int matches(const char *pattern, const char *text)
{
    for (;; text++) {
        if (matches_here(pattern, text))
            return 1;
        if (*text == 0)
            return 0;
    }
}

int main(void)
{
    char text[N + 1];
    klee_make_symbolic(text, sizeof text, "text");
    text[N] = 0;
    if (matches("ab*a", text))
        assert(text[0] != 0);
    return 0;
}
