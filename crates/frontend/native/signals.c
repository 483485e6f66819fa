/* Calls that a handler of a signal cuts short, and timers.
 *
 * A signal of the record comes before the call in which the engine's thread stood when it came (schedule.c). Whether it
 * came during that call is an input of its own: then the call is not made, and says that it was interrupted.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static size_t next_input(const struct sv_thread *t)
{
    size_t i = t->next_input;
    while (i < sv_n_inputs && sv_inputs[i].thread != t->number)
        i++;
    return i;
}

int sv_is_cut_short(void)
{
    struct sv_thread *t = sv_me;
    if (!t || t->mode == SV_LET_GO)
        return 0;
    sv_bring_due(t);
    for (; t->n_brought > 0; t->n_brought--) {
        size_t i = next_input(t);
        if (i == sv_n_inputs || sv_inputs[i].environment != SV_CUT_SHORT)
            return 0;
        t->next_input = i + 1;
        if (sv_bytes[sv_inputs[i].offset])
            return 1;
    }
    return 0;
}

int __selvedge_interrupts(int restarts) { return (void)restarts, sv_is_cut_short(); }

/* A function `name` with the parameters in parentheses that fails with EINTR. */
#define MAY_BE_CUT(type, name, parameters, arguments)                                                                  \
    type selvedge_native_##name parameters                                                                             \
    {                                                                                                                  \
        if (sv_is_cut_short())                                                                                         \
            return errno = EINTR, -1;                                                                                  \
        return name arguments;                                                                                         \
    }

MAY_BE_CUT(int, sem_wait, (sem_t *semaphore), (semaphore))
MAY_BE_CUT(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), (set, info))
MAY_BE_CUT(int, sigtimedwait, (const sigset_t *set, siginfo_t *info, const struct timespec *limit), (set, info, limit))

/* Whether the record has the thread go on from where it stands. */
static int goes_on(const struct sv_thread *t) { return t->count < sv_ends[t->number].points; }

/* A signal has come already that ended the wait. */
static int has_come(struct sv_thread *t)
{
    if (!t || t->mode == SV_LET_GO)
        return 0;
    sv_bring_due(t);
    return t->n_brought > 0 && goes_on(t);
}

int selvedge_native_pause(void)
{
    if (has_come(sv_me))
        return errno = EINTR, -1;
    if (sv_me)
        sv_rests(sv_me);
    return pause();
}

int selvedge_native_sigsuspend(const sigset_t *mask)
{
    struct sv_thread *t = sv_me;
    if (has_come(t) && !t->owes_point)
        return errno = EINTR, -1;
    if (!t || !t->owes_point) {
        if (t)
            sv_rests(t);
        return sigsuspend(mask);
    }
    /* The handler runs only now. */
    uint32_t site = t->site;
    int result = sigsuspend(mask);
    int error = errno;
    t->owes_point = 0;
    sv_pass_again(t, site);
    errno = error;
    return result;
}

/* Timers: when one goes off is recorded, as a signal that comes. As in runtime/signal.c. */

static enum { OFF, ONCE, PERIODIC } timer;
static struct timeval interval;

void sv_comes(int signal)
{
    if (signal == SIGALRM && timer == ONCE)
        timer = OFF;
}

/* Whether one was set that has not gone off. */
static int set_timer(int kind)
{
    sigset_t mask;
    unsigned char went_off = 0;
    int was_set = timer != OFF;
    if (was_set && pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, SIGALRM) == 1)
        sv_take_input(&went_off, 1, 1);
    if (went_off)
        kill(getpid(), SIGALRM);
    timer = kind;
    return was_set && !went_off;
}

unsigned selvedge_native_alarm(unsigned seconds)
{
    unsigned left = 0;
    if (set_timer(seconds > 0 ? ONCE : OFF))
        sv_take_input(&left, sizeof left, 0);
    return left;
}

static int is_time(const struct timeval *time)
{
    return time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1000000;
}

int selvedge_native_setitimer(int which, const struct itimerval *new, struct itimerval *old)
{
    if (which != ITIMER_REAL)
        return setitimer(which, new, old);
    if (!is_time(&new->it_value) || !is_time(&new->it_interval))
        return errno = EINVAL, -1;
    int is_set = new->it_value.tv_sec || new->it_value.tv_usec;
    int is_periodic = new->it_interval.tv_sec || new->it_interval.tv_usec;
    set_timer(!is_set ? OFF : is_periodic ? PERIODIC : ONCE);
    if (old)
        *old = (struct itimerval){.it_interval = interval};
    interval = new->it_interval;
    return 0;
}
