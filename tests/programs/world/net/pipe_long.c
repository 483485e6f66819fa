// A write of more than a pipe holds goes on when somebody has read.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char out[5000], in[5000];

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5000; i += 1000)
        out[i] = (char)('a' + i / 1000);
    assert(write(ends[1], out, sizeof out) == 5000);
    close(ends[1]);
    return 0;
}

int main(void)
{
    pipe(ends);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], in + n, sizeof in - n)) > 0;)
        n += (size_t)got;
    pthread_join(t, 0);
    assert(n == 5000 && in[0] == 'a' && in[4000] == 'e');
    return 0;
}
