// Two blocks of the same size at the same place are not the same if one is of `new[]` and the other of `malloc`: a summary
// made with one says nothing about releasing the other.
//@ verdict: unsafe(memory)
//@ rev ag:
//@ rev no_slice: --no-slice
//@ rev dpor: --reduce dpor
#include <cassert>
#include <cstdlib>
#include <pthread.h>

static int n, done;
static char *block;

static void *other(void *unused)
{
    done = 1;
    n = n + 1;
    return unused;
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, other, nullptr);
    if (done == 1)
        block = new char[64];
    else
        block = static_cast<char *>(malloc(64));
    n = n + 2;
    assert(n > 0);
    free(block); //~ BUG!
    pthread_join(thread, nullptr);
    return 0;
}
