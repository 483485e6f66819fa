/* Who runs when.
 *
 * Every thread calls __selvedge_point before everything that others could notice. Most of these calls only count. A
 * step of the record names the count at which its thread must wait for its turn; the thread then makes the step and
 * local work up to its next point, where the turn goes on. A thread that has passed as many points as in the record
 * stays where it is: the execution ends there.
 *
 * The lock is made of futexes and not of pthread_mutex_t: a sanitizer for data races must not take it for a
 * synchronisation of the program.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sv_thread *sv_threads;
_Thread_local struct sv_thread *sv_me;
volatile size_t sv_turn;
int sv_has_arrived;

static struct sv_thread *holder;
/* Also left by the end of each thread. */
static pthread_key_t ending;

static void futex(int *word, int operation, int value)
{
    syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

static int locked;  /* 0 free, 1 taken, 2 taken and wanted */
static int changes; /* counts what others may wait for */

void sv_lock(void)
{
    int free = 0;
    if (__atomic_compare_exchange_n(&locked, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(&locked, 2, __ATOMIC_ACQUIRE) != 0)
        futex(&locked, FUTEX_WAIT, 2);
}

void sv_unlock(void)
{
    if (__atomic_exchange_n(&locked, 0, __ATOMIC_RELEASE) == 2)
        futex(&locked, FUTEX_WAKE, 1);
}

void sv_changed(void)
{
    __atomic_add_fetch(&changes, 1, __ATOMIC_RELAXED);
    futex(&changes, FUTEX_WAKE, 1 << 30);
}

/* With the lock: waits until something has changed. */
static void wait_for_change(void)
{
    int seen = __atomic_load_n(&changes, __ATOMIC_RELAXED);
    sv_unlock();
    futex(&changes, FUTEX_WAIT, seen);
    sv_lock();
}

/* The first step from `from` on that thread `number` makes. */
static size_t step_of(uint32_t number, size_t from)
{
    size_t i = from;
    while (i < sv_n_steps && sv_steps[i].thread != number)
        i++;
    return i;
}

void sv_plan(struct sv_thread *t)
{
    uint64_t stop = sv_ends[t->number].points;
    if (t->next < sv_n_steps) {
        const struct sv_step *step = &sv_steps[t->next];
        uint64_t point = step->midway ? step->point + 1 : step->point;
        if (point < stop)
            stop = point;
    }
    t->stop_at = stop;
}

/* The schedule is over and nobody is in the middle of a step. */
static int is_over(void) { return sv_turn == sv_n_steps && !holder; }

void sv_release(struct sv_thread *t)
{
    t->is_holding = 0;
    holder = NULL;
    sv_turn++;
    /* Several steps after one point (a library function that touches memory more than once) are one step here. */
    while (sv_turn < sv_n_steps && sv_threads[sv_steps[sv_turn].thread].next > sv_turn)
        sv_turn++;
    sv_changed();
}

void sv_take_turn(struct sv_thread *t, size_t i)
{
    t->mode = SV_WAITS_FOR_TURN;
    while (sv_turn != i || holder)
        wait_for_change();
    t->mode = SV_RUNS;
    holder = t;
    t->is_holding = 1;
    t->step = i;
    do
        t->next = step_of(t->number, t->next + 1);
    while (t->next < sv_n_steps && sv_steps[t->next].point == sv_steps[i].point && !sv_steps[t->next].midway &&
           !sv_steps[t->next].signal);
}

int sv_step_on(struct sv_thread *t)
{
    size_t i = step_of(t->number, t->step + 1);
    if (!t->is_holding || t->atomic || i == sv_n_steps || sv_steps[i].midway || sv_steps[i].signal ||
        sv_steps[i].point != sv_steps[t->step].point)
        return 0;
    t->next = i;
    sv_release(t);
    sv_take_turn(t, i);
    sv_plan(t);
    return 1;
}

void sv_park(struct sv_thread *t, enum sv_mode mode)
{
    t->mode = mode;
    for (;;)
        wait_for_change();
}

/* The thread stands before a step that the record does not let it make. */
static void wait_for_end(struct sv_thread *t)
{
    t->mode = SV_PARKED;
    while (!sv_stuck || !is_over())
        wait_for_change();
    /* Nothing can move: now it shows whether the real thread is blocked there. */
    t->mode = SV_LET_GO;
}

/* The thread has come further than in the record. */
static void go_past(struct sv_thread *t)
{
    if (sv_stuck && is_over()) {
        if (sv_kind == SV_LIVELOCK) {
            t->mode = SV_LET_GO;
            t->stop_at = UINT64_MAX;
            return;
        }
        sv_diverged("thread %u is not blocked: it goes on at %s", t->number, sv_point_of(t->site));
    }
    if (!sv_stuck && t->number == sv_failing)
        sv_past("thread %u went on to %s without failing", t->number, sv_point_of(t->site));
    if (sv_stuck && sv_kind == SV_LIVELOCK)
        wait_for_end(t);
    else
        sv_park(t, SV_PARKED);
}

static void stop(struct sv_thread *t);

void sv_pass_again(struct sv_thread *t, uint32_t site)
{
    t->site = site;
    t->count = t->count + 1;
    if (t->count >= t->stop_at || t->is_holding)
        stop(t);
}

/* Whether the record has a signal for the thread where it stands. */
static int is_signal_due(const struct sv_thread *t)
{
    return t->next < sv_n_steps && sv_steps[t->next].signal && sv_steps[t->next].point == t->count;
}

/* The thread sends itself the signal that comes to it here. Its handler passes points of its own; then the thread stands
 * where it stood, which counts as a point. */
static void bring_signal(struct sv_thread *t)
{
    uint32_t site = t->site;
    sv_lock();
    if (t->is_holding && !t->atomic)
        sv_release(t);
    sv_take_turn(t, t->next);
    sv_plan(t);
    int number = sv_steps[t->step].signal, n_brought = t->n_brought;
    sigset_t waiting;
    sv_unlock();
    sv_comes(number);
    pthread_kill(pthread_self(), number);
    t->n_brought = n_brought + 1;
    if (sigpending(&waiting) == 0 && sigismember(&waiting, number) == 1)
        t->owes_point = 1;
    else
        sv_pass_again(t, site);
}

static void stop(struct sv_thread *t)
{
    if (is_signal_due(t) && !t->owes_point) {
        bring_signal(t);
        return;
    }
    sv_lock();
    if (t->is_holding && !t->atomic)
        sv_release(t);
    const struct sv_end *end = &sv_ends[t->number];
    if (t->count > end->points) {
        go_past(t);
        sv_unlock();
        return;
    }
    if (t->count == end->points && t->site != end->site)
        sv_diverged("thread %u is at %s, where the record has %s", t->number, sv_point_of(t->site),
                    sv_point_of(end->site));
    size_t i = t->next;
    if (i < sv_n_steps && (sv_steps[i].point < t->count || (sv_steps[i].point == t->count && t->is_holding)))
        sv_diverged("thread %u did not come to its step %zu, it is at %s", t->number, i, sv_point_of(t->site));
    if (i < sv_n_steps && sv_steps[i].point == t->count && !sv_steps[i].midway) {
        if (sv_steps[i].site != t->site)
            sv_diverged("thread %u is at %s, where the record has %s (step %zu)", t->number,
                        sv_point_of(t->site), sv_point_of(sv_steps[i].site), i);
        sv_take_turn(t, i);
    } else if (t->count == end->points && end->waiting) {
        wait_for_end(t);
    }
    if (t->count == end->points && t->number == sv_failing && !sv_stuck && !sv_has_arrived) {
        sv_has_arrived = 1;
        sv_status("arrived");
    }
    sv_plan(t);
    sv_unlock();
}

void sv_rests(struct sv_thread *t)
{
    const struct sv_end *end = &sv_ends[t->number];
    sv_lock();
    if (t->is_holding && !t->atomic)
        sv_release(t);
    if (t->count == end->points && end->waiting && t->next == sv_n_steps)
        wait_for_end(t);
    sv_unlock();
}

/* The first step from `from` on that `t` makes inside the call before which it stands; sv_n_steps if there is none. */
static size_t step_inside(const struct sv_thread *t, size_t from)
{
    size_t i = from < sv_n_steps ? step_of(t->number, from) : sv_n_steps;
    int is_inside = i < sv_n_steps && sv_steps[i].point == t->count && !sv_steps[i].midway && !sv_steps[i].signal;
    return is_inside ? i : sv_n_steps;
}

static size_t rest_inside(const struct sv_thread *t, size_t from)
{
    size_t i = step_inside(t, from);
    while (i < sv_n_steps && !sv_steps[i].rest)
        i = step_inside(t, i + 1);
    return i;
}

int sv_may_rest(const struct sv_thread *t)
{
    if (!t || t->mode == SV_LET_GO || t->atomic)
        return 0;
    const struct sv_end *end = &sv_ends[t->number];
    return rest_inside(t, t->step + 1) < sv_n_steps ? t->is_holding : end->resting && t->count == end->points;
}

void sv_rest(struct sv_thread *t, int with_limit)
{
    sv_lock();
    size_t rest = rest_inside(t, t->step + 1), look = step_inside(t, rest + 1);
    if (rest < sv_n_steps) {
        int is_last = with_limit && rest_inside(t, rest + 1) == sv_n_steps;
        t->next = look == sv_n_steps || is_last ? rest : look;
        sv_release(t);
        sv_take_turn(t, t->next);
        sv_plan(t);
    }
    if (look == sv_n_steps && t->count == sv_ends[t->number].points && sv_ends[t->number].waiting) {
        if (t->is_holding)
            sv_release(t);
        wait_for_end(t);
    }
    sv_unlock();
}

void sv_bring_due(struct sv_thread *t)
{
    while (is_signal_due(t) && !t->owes_point)
        bring_signal(t);
}

void __selvedge_point(uint32_t site)
{
    struct sv_thread *t = sv_me;
    if (!t)
        return;
    /* One that came after the thread's last step. */
    sv_bring_due(t);
    t->site = site;
    t->n_brought = 0;
    uint64_t count = t->count + 1;
    t->count = count;
    if (count >= t->stop_at || t->is_holding)
        stop(t);
}

void __selvedge_atomic_enter(void)
{
    if (sv_me)
        sv_me->atomic++;
}

void __selvedge_atomic_leave(void)
{
    if (sv_me && sv_me->atomic > 0)
        sv_me->atomic--;
    else
        sv_misuse("an atomic section ends that was not begun");
}

/* Runs among the destructors of thread-specific values. The program's own may pass points: ours waits for them. */
static void end_thread(void *thread)
{
    struct sv_thread *t = thread;
    if (t->n_rounds++ < 2) {
        pthread_setspecific(ending, t);
        return;
    }
    sv_lock();
    if (t->is_holding)
        sv_release(t);
    if (t->next < sv_n_steps)
        sv_diverged("thread %u ends before its step %zu", t->number, t->next);
    t->has_ended = 1;
    sv_changed();
    sv_me = NULL;
    if (!sv_stuck && t->number == sv_failing)
        sv_past("thread %u came to its end", t->number);
    sv_unlock();
}

void sv_begin_thread(struct sv_thread *t)
{
    sv_me = t;
    pthread_setspecific(ending, t);
    sv_lock();
    t->tid = (int)syscall(SYS_gettid);
    t->handle = pthread_self();
    t->has_handle = 1;
    t->is_known = 1;
    /* A thread may begin in a function of a library. */
    if (t->next < sv_n_steps && sv_steps[t->next].point == 0)
        sv_take_turn(t, t->next);
    sv_plan(t);
    sv_unlock();
}

/* Headers of C++ look at it and go another way if it is set; in the engine it never is. */
extern char __libc_single_threaded __attribute__((weak));

/* Before the program's own constructors. */
__attribute__((constructor(101))) static void start(void)
{
    sv_threads = calloc(sv_n_threads, sizeof *sv_threads);
    if (!sv_threads)
        abort();
    for (size_t i = 0; i < sv_n_threads; i++) {
        struct sv_thread *t = &sv_threads[i];
        t->number = (uint32_t)i;
        t->next = step_of(t->number, 0);
        sv_plan(t);
    }
    if (pthread_key_create(&ending, end_thread))
        abort();
    if (&__libc_single_threaded)
        __libc_single_threaded = 0;
    sv_set_environment();
    sv_build_consoles();
    sv_build_world();
    sv_begin_thread(&sv_threads[0]);
    sv_start_monitor();
}
