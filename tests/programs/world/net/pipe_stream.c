// Streams over the ends of a pipe.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *arg)
{
    (void)arg;
    FILE *f = fdopen(ends[1], "w");
    fprintf(f, "n=%d\n", 42);
    fclose(f);
    return 0;
}

int main(void)
{
    pipe(ends);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    FILE *f = fdopen(ends[0], "r");
    char line[16];
    assert(fgets(line, sizeof line, f) && strcmp(line, "n=42\n") == 0);
    assert(!fgets(line, sizeof line, f) && feof(f));
    fclose(f);
    pthread_join(t, 0);
    return 0;
}
