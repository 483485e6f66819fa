// Standard input through getline, fread, fscanf and read.
//@ verdict: safe
//@ flags: --sym-stdin 2 --check default,leak
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *line = NULL, rest[4];
    size_t size = 0;
    ssize_t n = getline(&line, &size, stdin);
    if (n >= 0)
        assert(n >= 1 && n <= 2 && line[n] == 0 && (n == 2 || line[0] == '\n'));
    size_t more = n < 0 ? 0 : fread(rest, 1, sizeof rest, stdin);
    assert(n < 0 || n + more == 2);
    assert(getc(stdin) == EOF && read(0, rest, 4) == 0);
    int value = 3;
    assert(fscanf(stdin, "%d", &value) == EOF && value == 3);
    free(line);
    return 0;
}
