// A pipe between two threads: bytes come in order, a read waits for them, and the end is seen when no writer is left.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *arg)
{
    (void)arg;
    assert(write(ends[1], "ab", 2) == 2);
    assert(write(ends[1], "c", 1) == 1);
    close(ends[1]);
    return 0;
}

int main(void)
{
    assert(pipe(ends) == 0);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    char all[8];
    ssize_t got, n = 0;
    while ((got = read(ends[0], all + n, sizeof all - (size_t)n)) > 0)
        n += got;
    assert(got == 0 && n == 3);
    assert(all[0] == 'a' && all[1] == 'b' && all[2] == 'c');
    pthread_join(t, 0);
    return 0;
}
