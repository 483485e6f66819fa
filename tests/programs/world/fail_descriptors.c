// Descriptors that cannot be had, of every kind, and memory that mappings and the environment cannot have.
//@ verdict: safe
//@ rev plain:
//@ assumes[plain]: world.io-succeeds world.memory-succeeds
//@ rev fails: --fail io,memory --fail-at-most 1
//@ assumes[fails]: world.failures-bound world.standard-streams
//@ rev relies: --fail io,memory --fail-at-most 1
//@ clang[relies]: -DRELIES
//@ verdict[relies]: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int failures;

static void count(int failed, int error)
{
    assert(!failed || errno == error);
    failures += failed;
}

int main(void)
{
    int ends[2];
    count(pipe(ends) < 0, EMFILE);
    count(socket(AF_UNIX, SOCK_STREAM, 0) < 0, EMFILE);
    count(eventfd(0, 0) < 0, EMFILE);
    count(dup(0) < 0, EMFILE);
    count(setenv("A", "b", 1) < 0, ENOMEM);
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    count(page == MAP_FAILED, ENOMEM);
    int pair[2];
    count(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0, EMFILE);
    assert(failures <= 1);
#ifdef RELIES
    assert(failures == 0);
#endif
    return 0;
}
