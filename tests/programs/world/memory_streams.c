// fmemopen and open_memstream.
//@ verdict: safe
//@ flags: --check default,leak
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char text[] = "12 apples";
    FILE *f = fmemopen(text, strlen(text), "r");
    int n;
    char word[16];
    assert(fscanf(f, "%d %15s", &n, word) == 2 && n == 12 && strcmp(word, "apples") == 0 && fgetc(f) == EOF);
    fclose(f);
    char small[4];
    f = fmemopen(small, sizeof small, "w");
    assert(fputs("hi", f) >= 0 && fclose(f) == 0 && strcmp(small, "hi") == 0);
    char *all;
    size_t size;
    f = open_memstream(&all, &size);
    for (int i = 0; i < 30; i++)
        fprintf(f, "%d,", i);
    fclose(f);
    assert(size == strlen(all) && strncmp(all, "0,1,2,", 6) == 0 && size == 80);
    free(all);
    char *line = NULL;
    size_t room = 0;
    f = tmpfile();
    fputs("first\nlast", f);
    rewind(f);
    assert(getline(&line, &room, f) == 6 && strcmp(line, "first\n") == 0);
    assert(getline(&line, &room, f) == 4 && getline(&line, &room, f) == -1 && feof(f));
    free(line);
    fclose(f);
    return 0;
}
