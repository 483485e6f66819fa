// A limit can be below what a program hopes for.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    assert(limit.rlim_cur >= 3);
    return 0;
}
