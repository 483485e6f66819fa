/* What a program asks the system about itself: limits, use of resources, configuration, identity.
 *
 * Limits and use are inputs, open at each question, within what POSIX promises. Identity and configuration are those
 * of one system, which the ledger says.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pwd.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#define PAGE 4096

/* Of Linux; not in every header. */
#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

static long any_not_negative(void)
{
    long value = __VERIFIER_nondet_long();
    __VERIFIER_assume(value >= 0);
    return value;
}

/* The three that give back an error number of their own. */
static int is_resource(int resource)
{
    if (resource >= 0 && resource < RLIMIT_NLIMITS)
        return 1;
    errno = EINVAL;
    return 0;
}

/* The soft limit is never above the hard one; `RLIM_INFINITY` is the largest value of the type. */
WEAK int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
    if (!is_resource((int)resource))
        return -1;
    rlim_t soft = (rlim_t)__VERIFIER_nondet_long(), hard = (rlim_t)__VERIFIER_nondet_long();
    __VERIFIER_assume(soft <= hard);
    limit->rlim_cur = soft;
    limit->rlim_max = hard;
    return 0;
}

WEAK int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *limit)
{
    if (!is_resource((int)resource))
        return -1;
    rlim64_t soft = (rlim64_t)__VERIFIER_nondet_longlong(), hard = (rlim64_t)__VERIFIER_nondet_longlong();
    __VERIFIER_assume(soft <= hard);
    limit->rlim_cur = soft;
    limit->rlim_max = hard;
    return 0;
}

/* Whether the process has the right to raise a limit is open. */
static int set_limit(int resource, uint64_t soft, uint64_t hard)
{
    if (!is_resource(resource))
        return -1;
    if (soft > hard) {
        errno = EINVAL;
        return -1;
    }
    int refused = __VERIFIER_nondet_int() & 1;
    errno = refused ? EPERM : errno;
    return -refused;
}

WEAK int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    return set_limit((int)resource, limit->rlim_cur, limit->rlim_max);
}

WEAK int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit)
{
    return set_limit((int)resource, limit->rlim_cur, limit->rlim_max);
}

static struct timeval any_time(void)
{
    long seconds = any_not_negative(), microseconds = any_not_negative();
    __VERIFIER_assume(microseconds < 1000000);
    return (struct timeval){seconds, (suseconds_t)microseconds};
}

WEAK int getrusage(__rusage_who_t who, struct rusage *usage)
{
    if ((int)who != RUSAGE_SELF && (int)who != RUSAGE_CHILDREN && (int)who != RUSAGE_THREAD) {
        errno = EINVAL;
        return -1;
    }
    usage->ru_utime = any_time();
    usage->ru_stime = any_time();
    usage->ru_maxrss = any_not_negative();
    usage->ru_ixrss = usage->ru_idrss = usage->ru_isrss = 0;
    usage->ru_minflt = any_not_negative();
    usage->ru_majflt = any_not_negative();
    usage->ru_nswap = 0;
    usage->ru_inblock = any_not_negative();
    usage->ru_oublock = any_not_negative();
    usage->ru_msgsnd = usage->ru_msgrcv = usage->ru_nsignals = 0;
    usage->ru_nvcsw = any_not_negative();
    usage->ru_nivcsw = any_not_negative();
    return 0;
}

static long configured(long value)
{
    __selvedge_assumed("world.configuration");
    return value;
}

WEAK int getpagesize(void) { return (int)configured(PAGE); }

/* The questions of sysconf have the numbers 0 to 250 in glibc, those of confstr 0 to 1149, with gaps. */
#define LAST_SYSCONF 250
#define LAST_CONFSTR 1149

WEAK long sysconf(int name)
{
    if (name < 0 || name > LAST_SYSCONF) {
        errno = EINVAL;
        return -1;
    }
    switch (name) {
    case _SC_VERSION:
    case _SC_THREADS:
    case _SC_THREAD_SAFE_FUNCTIONS:
    case _SC_MONOTONIC_CLOCK:
    case _SC_TIMERS:
    case _SC_SEMAPHORES:
    case _SC_BARRIERS:
    case _SC_SPIN_LOCKS:
    case _SC_READER_WRITER_LOCKS:
        return configured(_POSIX_VERSION);
    case _SC_IOV_MAX:
        return configured(1024);
    case _SC_HOST_NAME_MAX:
        return configured(64);
    case _SC_LINE_MAX:
        return configured(2048);
    case _SC_PAGESIZE:
        return configured(PAGE);
    case _SC_CLK_TCK:
        return configured(100);
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: {
        long n = any_not_negative();
        __VERIFIER_assume((n >= 1) & (n <= INT_MAX));
        return n;
    }
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES:
        return any_not_negative();
    case _SC_OPEN_MAX: {
        /* -1: no limit. */
        long n = __VERIFIER_nondet_long();
        __VERIFIER_assume((n == -1) | (n >= _POSIX_OPEN_MAX));
        return n;
    }
    default:
        __selvedge_unsupported("this question of sysconf");
    }
}

WEAK size_t confstr(int name, char *buf, size_t size)
{
    const char *text;
    if (name < 0 || name > LAST_CONFSTR) {
        errno = EINVAL;
        return 0;
    }
    switch (name) {
    case _CS_PATH:
        text = "/bin:/usr/bin";
        break;
    case _CS_GNU_LIBC_VERSION:
        text = "glibc 2.36";
        break;
    case _CS_GNU_LIBPTHREAD_VERSION:
        text = "NPTL 2.36";
        break;
    default:
        __selvedge_unsupported("this question of confstr");
    }
    if (buf)
        __selvedge_must_fit(buf, size);
    size_t length = (size_t)configured(0);
    while (text[length])
        length++;
    for (size_t i = 0; buf && i < size; i++) {
        buf[i] = i + 1 < size ? text[i] : '\0';
        if (i == length)
            break;
    }
    return length + 1;
}

WEAK int gethostname(char *name, size_t size)
{
    static const char text[] = "localhost";
    __selvedge_assumed("world.identity");
    __selvedge_must_fit(name, size);
    for (size_t i = 0; i < size && i < sizeof text; i++)
        name[i] = text[i];
    if (size >= sizeof text)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* Which of process, group and user is meant; sets errno where there is no such choice. */
static int is_whose(int which)
{
    if (which == PRIO_PROCESS || which == PRIO_PGRP || which == PRIO_USER)
        return 1;
    errno = EINVAL;
    return 0;
}

WEAK int getpriority(__priority_which_t which, id_t who)
{
    (void)who;
    if (!is_whose((int)which))
        return -1;
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume((value >= -20) & (value <= 19));
    return value;
}

/* Whether the process has the right to is open. */
WEAK int setpriority(__priority_which_t which, id_t who, int value)
{
    (void)who, (void)value;
    if (!is_whose((int)which))
        return -1;
    int refused = __VERIFIER_nondet_int() & 1;
    errno = refused ? EACCES : errno;
    return -refused;
}

static int identity(int number)
{
    __selvedge_assumed("world.identity");
    return number;
}

WEAK pid_t getpid(void) { return identity(THIS_PROCESS); }
WEAK pid_t getppid(void) { return identity(999); }
WEAK uid_t getuid(void) { return (uid_t)identity(1000); }
WEAK uid_t geteuid(void) { return (uid_t)identity(1000); }
WEAK gid_t getgid(void) { return (gid_t)identity(1000); }
WEAK gid_t getegid(void) { return (gid_t)identity(1000); }

/* There is no list of users. */
WEAK struct passwd *getpwuid(uid_t user)
{
    NOT_FOR_THREADS;
    identity((int)user);
    return NULL;
}

WEAK struct passwd *getpwnam(const char *name)
{
    NOT_FOR_THREADS;
    identity(*(const volatile char *)name);
    return NULL;
}

/* As Linux has them. */
static int priority(int policy, int real_time)
{
    switch (policy) {
    case SCHED_FIFO:
    case SCHED_RR:
        return real_time;
    case SCHED_OTHER:
    case SCHED_BATCH:
    case SCHED_IDLE:
    case SCHED_DEADLINE:
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

WEAK int sched_get_priority_max(int policy) { return priority(policy, 99); }
WEAK int sched_get_priority_min(int policy) { return priority(policy, 1); }
