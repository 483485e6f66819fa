// Threads look at arguments that nobody named.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>

static char **words;
static int seen;

static void *look(void *unused)
{
    (void)unused;
    if (words[1] && words[1][0] == 'x')
        seen = 1;
    return 0;
}

int main(int argc, char **argv)
{
    pthread_t other;
    words = argv;
    pthread_create(&other, 0, look, 0);
    if (argc > 1 && argv[1][0] == 'x')
        assert(seen == 0); //~ BUG!
    pthread_join(other, 0);
    return 0;
}
