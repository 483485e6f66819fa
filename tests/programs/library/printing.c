// The printf family through va_list, allocated output, and streams.
//@ verdict: safe
//@ flags: --check default,leak
//@ stdout: [7 seven]
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *formatted(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    assert(vasprintf(&text, format, args) >= 0);
    va_end(args);
    return text;
}

static int print(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vprintf(format, args);
    va_end(args);
    return n;
}

int main(void)
{
    char *text = formatted("%s-%03d-%c", "ab", 7, 'z'), *other;
    assert(strcmp(text, "ab-007-z") == 0);
    assert(asprintf(&other, "<%8.3f>", 2.5) == 10 && strcmp(other, "<   2.500>") == 0);
    free(text);
    free(other);
    assert(print("[%d %s]\n", 7, "seven") == 10);
    assert(write(1, "raw\n", 4) == 4);
    putc('x', stdout);
    assert(dprintf(2, "%d", 5) == 1);
    perror("message");
    assert(fflush(stdout) == 0);
    return 0;
}
