/* Signals: what POSIX makes of the arguments, on top of the engine's masks, actions and pending signals
 * (exec/src/models/signal). The engine runs a handler by calling `__selvedge_signal_handle` in the middle of the thread
 * that is interrupted.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

/* Provided by the engine. A set of signals is a word: signal n is bit n - 1. */
void __selvedge_signal_enable(void *(*)(void *), void *, void *); /* does nothing */
void __selvedge_signal_set(int number, void *handler, uint64_t mask, int flags);
void __selvedge_signal_get(int number, void **handler, uint64_t *mask, int *flags);
uint64_t __selvedge_signal_mask(int how, uint64_t set); /* handles what is not blocked any longer; gives the mask before */
uint64_t __selvedge_signal_suspend(uint64_t mask);      /* sets the mask and handles nothing yet */
int __selvedge_signal_due(void);                        /* handles what is pending and not blocked */
void __selvedge_signal_return(uint64_t mask);
int __selvedge_signal_send(pthread_t thread, int number, int code, void *value); /* 0: to the process */
uint64_t __selvedge_signal_pending(void);
int __selvedge_signal_wait(uint64_t set, int may_time_out, int *code, void **value); /* -1: a handler ran; 0: too late */
unsigned __selvedge_signal_handled(void);
void __selvedge_signal_sleep(unsigned handled); /* until more handlers have run in this thread */
int __selvedge_signal_alarm(int kind);          /* whether one was set before */
void __selvedge_signal_arrive(int thread);

/* Where the threads stand that bring signals to the threads of the program. */
WEAK void *__selvedge_signal_outside(void *thread)
{
    __selvedge_signal_arrive((int)(intptr_t)thread);
    return NULL;
}

/* Runs in the thread that is interrupted. Of what a handler can be told, that is set which does not depend on who sent
 * the signal; the rest is open. */
WEAK void __selvedge_signal_handle(void *handler, int number, int flags, uint64_t mask, int code, void *value)
{
    if (flags & SA_SIGINFO) {
        siginfo_t info;
        ucontext_t context;
        info.si_signo = number;
        info.si_errno = 0;
        info.si_code = code;
        if (code == SI_TKILL || code == SI_QUEUE || (code == SI_USER && value)) {
            info.si_pid = THIS_PROCESS;
            info.si_uid = 1000;
        }
        if (code == SI_QUEUE)
            info.si_value.sival_ptr = value;
        ((void (*)(int, siginfo_t *, void *))handler)(number, &info, &context);
    } else {
        ((void (*)(int))handler)(number);
    }
    __selvedge_signal_return(mask);
}

/* What a call returns that a handler has interrupted. */
WEAK int __selvedge_signal_interrupted(void)
{
    errno = EINTR;
    return -1;
}

/* What the engine calls has to be there in programs that have to do with signals, and in no others. */
static void enable(void)
{
    __selvedge_signal_enable(__selvedge_signal_outside, (void *)__selvedge_signal_handle,
                             (void *)__selvedge_signal_interrupted);
}

static int fails_with(int error)
{
    errno = error;
    return -1;
}

static int is_signal(int number) { return number > 0 && number < NSIG; }

/* 32 and 33 belong to the thread library. */
static int is_free(int number) { return is_signal(number) && number != 32 && number != 33; }

static int can_be_caught(int number) { return is_free(number) && number != SIGKILL && number != SIGSTOP; }

static uint64_t bits_of(const sigset_t *set)
{
    uint64_t bits;
    __builtin_memcpy(&bits, set, sizeof bits);
    return bits;
}

static void set_bits(sigset_t *set, uint64_t bits)
{
    *set = (sigset_t){0};
    __builtin_memcpy(set, &bits, sizeof bits);
}

/* Nobody can block these. */
static const uint64_t always = (uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1) | (uint64_t)3 << 31;

WEAK int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    if (!is_free(number) || (new && !can_be_caught(number)))
        return fails_with(EINVAL);
    enable();
    /* The two may be the same. */
    struct sigaction wanted;
    if (new)
        wanted = *new;
    if (old) {
        uint64_t mask;
        void *handler;
        __selvedge_signal_get(number, &handler, &mask, &old->sa_flags);
        old->sa_handler = (sighandler_t)handler;
        old->sa_restorer = NULL;
        set_bits(&old->sa_mask, mask);
    }
    if (new)
        __selvedge_signal_set(number, (void *)wanted.sa_handler, bits_of(&wanted.sa_mask) & ~always, wanted.sa_flags);
    return 0;
}

static sighandler_t install(int number, sighandler_t handler, int flags)
{
    if (handler == SIG_ERR || !can_be_caught(number)) {
        errno = EINVAL;
        return SIG_ERR;
    }
    enable();
    void *before;
    uint64_t mask;
    int flags_before;
    __selvedge_signal_get(number, &before, &mask, &flags_before);
    __selvedge_signal_set(number, (void *)handler, (uint64_t)1 << (number - 1), flags);
    return (sighandler_t)before;
}

WEAK sighandler_t signal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
WEAK sighandler_t bsd_signal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
WEAK sighandler_t ssignal(int number, sighandler_t handler) { return install(number, handler, SA_RESTART); }
WEAK sighandler_t sysv_signal(int number, sighandler_t handler)
{
    return install(number, handler, SA_RESETHAND | SA_NODEFER);
}
WEAK sighandler_t __sysv_signal(int number, sighandler_t handler)
{
    return install(number, handler, SA_RESETHAND | SA_NODEFER);
}

WEAK int siginterrupt(int number, int interrupts)
{
    if (!can_be_caught(number))
        return fails_with(EINVAL);
    void *handler;
    uint64_t mask;
    int flags;
    __selvedge_signal_get(number, &handler, &mask, &flags);
    __selvedge_signal_set(number, handler, mask, interrupts ? flags & ~SA_RESTART : flags | SA_RESTART);
    return 0;
}

/* Zero or an error number. */
static int change_mask(int how, const sigset_t *set, sigset_t *old)
{
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    uint64_t wanted = set ? bits_of(set) & ~always : 0;
    uint64_t before = __selvedge_signal_mask(set ? how : SIG_BLOCK, wanted);
    if (old)
        set_bits(old, before);
    return 0;
}

WEAK int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    int error = change_mask(how, set, old);
    return error ? fails_with(error) : 0;
}

WEAK int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return change_mask(how, set, old); }

static int change_one(int how, int number)
{
    if (!is_free(number))
        return fails_with(EINVAL);
    __selvedge_signal_mask(how, ((uint64_t)1 << (number - 1)) & ~always);
    return 0;
}

WEAK int sighold(int number) { return change_one(SIG_BLOCK, number); }
WEAK int sigrelse(int number) { return change_one(SIG_UNBLOCK, number); }

WEAK int sigignore(int number) { return install(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0; }

WEAK int sigpending(sigset_t *set)
{
    set_bits(set, __selvedge_signal_pending());
    return 0;
}

WEAK int raise(int number)
{
    if (number < 0 || number >= NSIG)
        return fails_with(EINVAL);
    enable();
    if (number > 0)
        __selvedge_signal_send(pthread_self(), number, SI_TKILL, NULL);
    return 0;
}

/* See pipe.c. */
static void raise_broken_pipe(void)
{
    enable();
    __selvedge_signal_send(pthread_self(), SIGPIPE, SI_USER, (void *)1);
}
void (*const __selvedge_raise_broken_pipe)(void) = raise_broken_pipe;

WEAK int pthread_kill(pthread_t thread, int number)
{
    if (number < 0 || number >= NSIG || number == 32 || number == 33)
        return EINVAL;
    enable();
    return __selvedge_signal_send(thread, number, SI_TKILL, NULL);
}

WEAK int pthread_sigqueue(pthread_t thread, int number, const union sigval value)
{
    if (number < 0 || number >= NSIG || number == 32 || number == 33)
        return EINVAL;
    enable();
    return __selvedge_signal_send(thread, number, SI_QUEUE, value.sival_ptr);
}

static int send_to(pid_t process, int number, int code, void *value)
{
    if (number < 0 || number >= NSIG)
        return fails_with(EINVAL);
    if (process != THIS_PROCESS && !(process == 0 && code == SI_USER))
        __selvedge_unsupported("a signal to another process");
    enable();
    int error = number == 0 ? 0 : __selvedge_signal_send(0, number, code, value);
    return error ? fails_with(error) : 0;
}

/* That there is a value tells the sender from one outside. */
WEAK int kill(pid_t process, int number) { return send_to(process, number, SI_USER, (void *)1); }

WEAK int sigqueue(pid_t process, int number, const union sigval value)
{
    return send_to(process, number, SI_QUEUE, value.sival_ptr);
}

WEAK int sigwait(const sigset_t *set, int *number)
{
    int found, code;
    void *value;
    do
        found = __selvedge_signal_wait(bits_of(set) & ~always, 0, &code, &value);
    while (found < 0);
    *number = found;
    return 0;
}

static int wait_for(const sigset_t *set, siginfo_t *info, int may_time_out)
{
    int code;
    void *value;
    int found = __selvedge_signal_wait(bits_of(set) & ~always, may_time_out, &code, &value);
    if (found <= 0)
        return fails_with(found < 0 ? EINTR : EAGAIN);
    if (info) {
        siginfo_t got;
        got.si_signo = found;
        got.si_errno = 0;
        /* As glibc has it. */
        got.si_code = code == SI_TKILL ? SI_USER : code;
        if (code == SI_QUEUE)
            got.si_value.sival_ptr = value;
        *info = got;
    }
    return found;
}

WEAK int sigwaitinfo(const sigset_t *set, siginfo_t *info) { return wait_for(set, info, 0); }

WEAK int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    if (timeout && (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec > 999999999))
        return fails_with(EINVAL);
    return wait_for(set, info, timeout != NULL);
}

WEAK int pause(void)
{
    /* A signal that comes before the call is not waited for. */
    __selvedge_signal_mask(SIG_BLOCK, 0);
    __selvedge_signal_sleep(__selvedge_signal_handled());
    return fails_with(EINTR);
}

WEAK int sigsuspend(const sigset_t *mask)
{
    uint64_t before = __selvedge_signal_suspend(bits_of(mask) & ~always);
    unsigned handled = __selvedge_signal_handled();
    __selvedge_signal_due();
    __selvedge_signal_sleep(handled);
    __selvedge_signal_mask(SIG_SETMASK, before);
    return fails_with(EINTR);
}

/* An alarm goes off at any time after it was set; how much of it is left is open. */
static unsigned alarm_seconds;

WEAK unsigned alarm(unsigned seconds)
{
    enable();
    int was_set = __selvedge_signal_alarm(seconds > 0);
    unsigned left = 0;
    if (was_set) {
        left = (unsigned)__VERIFIER_nondet_int();
        __VERIFIER_assume((left >= 1) & (left <= alarm_seconds));
    }
    alarm_seconds = seconds;
    return left;
}

static struct itimerval timer;

WEAK int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old)
{
    if (which != ITIMER_REAL && which != ITIMER_VIRTUAL && which != ITIMER_PROF)
        return fails_with(EINVAL);
    if (which != ITIMER_REAL)
        __selvedge_unsupported("a timer of the time that the program uses");
    if (new->it_value.tv_sec < 0 || new->it_value.tv_usec < 0 || new->it_value.tv_usec > 999999 ||
        new->it_interval.tv_sec < 0 || new->it_interval.tv_usec < 0 || new->it_interval.tv_usec > 999999)
        return fails_with(EINVAL);
    int is_set = new->it_value.tv_sec != 0 || new->it_value.tv_usec != 0;
    int is_periodic = new->it_interval.tv_sec != 0 || new->it_interval.tv_usec != 0;
    enable();
    int was_set = __selvedge_signal_alarm(is_set ? 1 + is_periodic : 0);
    if (old) {
        if (was_set)
            __selvedge_unsupported("how much is left of a timer");
        *old = (struct itimerval){0};
        old->it_interval = timer.it_interval;
    }
    timer = *new;
    return 0;
}
