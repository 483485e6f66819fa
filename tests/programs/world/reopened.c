// freopen sends standard output into a file, and standard input out of one; a stream of a closed descriptor fails.
//@ verdict: safe
//@ flags: --no-files
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    int x;
    assert(freopen("out", "w", stdout) == stdout && fileno(stdout) == 1);
    printf("%d %s", 12, "dozen");
    putchar('!');
    fflush(stdout);
    assert(freopen("out", "r", stdin) == stdin);
    char word[16];
    assert(scanf("%d%15s", &x, word) == 2 && x == 12 && strcmp(word, "dozen!") == 0 && getchar() == EOF);
    close(1);
    assert(printf("lost") < 0 && errno == EBADF && ferror(stdout));
    assert(fopen("out", "r") && fileno(stdout) == 1);
    assert(puts("read only") == EOF && errno == EBADF);
    return 0;
}
