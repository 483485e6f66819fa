// A small regular-expression matcher (literals, `.`, `*`, `^`, `$`) on an unknown pattern: many short branches over bytes.
// The pattern is terminated, so that every access is within bounds.
#ifndef N
#define N 4
#endif

void klee_make_symbolic(void *address, unsigned long size, const char *name);

static int match_here(const char *re, const char *text);

static int match_star(char c, const char *re, const char *text) {
    for (;;) {
        if (match_here(re, text))
            return 1;
        if (*text == '\0' || (*text != c && c != '.'))
            return 0;
        text++;
    }
}

static int match_here(const char *re, const char *text) {
    if (re[0] == '\0')
        return 1;
    if (re[1] == '*')
        return match_star(re[0], re + 2, text);
    if (re[0] == '$' && re[1] == '\0')
        return *text == '\0';
    if (*text != '\0' && (re[0] == '.' || re[0] == *text))
        return match_here(re + 1, text + 1);
    return 0;
}

static int match(const char *re, const char *text) {
    if (re[0] == '^')
        return match_here(re + 1, text);
    for (;;) {
        if (match_here(re, text))
            return 1;
        if (*text++ == '\0')
            return 0;
    }
}

int main(void) {
    char re[N + 1];
    klee_make_symbolic(re, N, "re");
    re[N] = '\0';
    return match(re, "hello");
}
