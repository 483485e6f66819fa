// What the system says about limits, use of resources and itself is open within the contract of POSIX.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    struct rlimit limit;
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    assert(limit.rlim_cur <= limit.rlim_max);
    limit.rlim_cur = limit.rlim_max;
    errno = 0;
    int result = setrlimit(RLIMIT_NOFILE, &limit);
    assert(result == 0 || (result == -1 && errno != 0));
    assert(getrlimit(-5, &limit) == -1 && errno == EINVAL);

    struct rusage usage;
    assert(getrusage(RUSAGE_SELF, &usage) == 0);
    assert(usage.ru_utime.tv_sec >= 0 && usage.ru_utime.tv_usec < 1000000 && usage.ru_maxrss >= 0);

    assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1 && sysconf(_SC_PAGESIZE) == getpagesize());
    char version[4];
    assert(confstr(_CS_GNU_LIBPTHREAD_VERSION, version, sizeof version) > sizeof version);
    assert(strcmp(version, "NPT") == 0);
    assert(sched_get_priority_max(SCHED_FIFO) > sched_get_priority_min(SCHED_FIFO));
    assert(getpid() > 0 && getpid() == getpid());
    return 0;
}
