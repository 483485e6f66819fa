// One read need not give what two writes have written.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *arg)
{
    (void)arg;
    write(ends[1], "ab", 2);
    write(ends[1], "c", 1);
    return 0;
}

int main(void)
{
    pipe(ends);
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    char all[8];
    assert(read(ends[0], all, sizeof all) == 3); //~ BUG! assert
    pthread_join(t, 0);
    return 0;
}
