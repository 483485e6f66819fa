/* The end of a native run: the recorded failure, a deadlock, or an execution that is another one. */
#define _GNU_SOURCE
#include "replay.h"

#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A look at the threads every so many milliseconds. */
#define POLL_MS 20
/* Blocked this long, threads are taken for blocked for ever. */
#define DEADLOCK_MS 400
/* Threads that spin are watched this long. */
#define LIVELOCK_MS 1000
/* When nothing moves that should, for seconds; SELVEDGE_PATIENCE changes it. */
#define PATIENCE_S 10

static void say(const char *head, const char *format, va_list args, const char *word)
{
    char text[1024];
    int n = vsnprintf(text, sizeof text, format, args);
    const struct sv_io_failure *left = sv_not_failed();
    if (left && n >= 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, "; the call at %s failed in the record, and cannot be made to fail",
                 sv_point_of(left->site));
    char status[1100];
    snprintf(status, sizeof status, "%s: %s", word, text);
    sv_status(status);
    fflush(stdout);
    fprintf(stderr, "selvedge: %s: %s\n", head, text);
    fflush(stderr);
}

/* What the tool says to this process; the environment is the program's. */
static char *status_path, *patience_text;
char *sv_temporary;

void sv_status(const char *text)
{
    const char *path = status_path;
    if (!path || !*path)
        return;
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
        return;
    if (write(file, text, strlen(text)) < 0 || write(file, "\n", 1) < 0)
        fprintf(stderr, "selvedge: cannot write the status\n");
    close(file);
}

static void list_threads(void)
{
    for (size_t i = 0; i < sv_n_threads; i++) {
        const struct sv_thread *t = &sv_threads[i];
        if (!t->is_known || t->has_ended)
            continue;
        const char *mode = t->mode == SV_WAITS_FOR_TURN ? "waits for its turn"
                           : t->mode == SV_PARKED       ? "is at its end in the record"
                           : t->mode == SV_ASLEEP       ? "waits on a condition variable"
                                                        : "is";
        fprintf(stderr, "selvedge:   thread %u %s at %s\n", t->number, mode, sv_point_of(t->site));
    }
    fflush(stderr);
}

void sv_diverged(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("native replay diverged", format, args, "diverged");
    va_end(args);
    list_threads();
    _exit(SV_EXIT_DIVERGED);
}

void sv_past(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("the recorded execution was followed, but nothing failed", format, args, "past");
    va_end(args);
    _exit(SV_EXIT_PAST);
}

static const struct sv_site *find_site(uint32_t site)
{
    size_t low = 0, high = sv_n_sites;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sv_sites[middle].site < site)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sv_n_sites && sv_sites[low].site == site ? &sv_sites[low] : NULL;
}

const char *sv_place_of(uint32_t site)
{
    const struct sv_site *found = find_site(site);
    return found && *found->place ? found->place : "an unknown place";
}

const char *sv_point_of(uint32_t site)
{
    const struct sv_site *found = find_site(site);
    return found ? found->point : "an unknown place";
}

/* --- failures by function call --- */

void sv_expect_failure(const char *what)
{
    const struct sv_thread *t = sv_me;
    if (t && (sv_stuck || t->number != sv_failing || t->count != sv_ends[t->number].points))
        sv_diverged("%s in thread %u at %s, which is not the recorded failure", what, t->number,
                    sv_point_of(t->site));
    fflush(stdout);
}

__attribute__((noreturn)) static void fail(const char *what)
{
    sv_expect_failure(what);
    fprintf(stderr, "%s: %s\n", sv_me ? sv_place_of(sv_me->site) : sv_place, what);
    fflush(stderr);
    abort();
}

void sv_misuse(const char *what)
{
    const struct sv_thread *t = sv_me;
    if (t && !sv_stuck && sv_kind == SV_DEADLOCK && t->number == sv_failing && t->count == sv_ends[t->number].points)
        fail(what);
}

void selvedge_native_abort(void) { fail("`abort` is called"); }
__attribute__((weak)) void klee_abort(void) { fail("`klee_abort` is called"); }
void selvedge_native_reach_error(void) { fail("`reach_error` is reached"); }
void selvedge_native___VERIFIER_error(void) { fail("`__VERIFIER_error` is reached"); }

void selvedge_native___assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    sv_expect_failure("an assertion fails");
    __assert_fail(text, file, line, function);
}

void selvedge_native___assert(const char *text, const char *file, int line)
{
    sv_expect_failure("an assertion fails");
    __assert_fail(text, file, (unsigned)line, "?");
}

void selvedge_native___assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    sv_expect_failure("assert_perror fails");
    __assert_perror_fail(error, file, line, function);
}

void selvedge_native__ZSt21__glibcxx_assert_failPKciS0_S0_(const char *file, int line, const char *function,
                                                           const char *text)
{
    (void)file, (void)line, (void)function;
    fail(text);
}

#define CHECK(name, type)                                                                                     \
    __attribute__((weak)) void name(type condition)                                                           \
    {                                                                                                         \
        if (!condition)                                                                                       \
            fail("`" #name "` failed");                                                                       \
    }
CHECK(klee_assert, int)
CHECK(__VERIFIER_assert, int)
CHECK(__CPROVER_assert, int)
CHECK(__ESBMC_assert, int)
CHECK(__CPROVER_precondition, int)
CHECK(__CPROVER_postcondition, int)
CHECK(selvedge_assert, _Bool)

__attribute__((weak)) void klee_report_error(const char *file, int line, const char *text, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    fail(text);
}

#define UNDEFINED(name, text)                                                                                 \
    __attribute__((weak)) void __ubsan_handle_##name##_minimal_abort(void) { fail(text); }
UNDEFINED(shift_out_of_bounds, "the shift is too long, or a signed left shift loses bits")
UNDEFINED(float_cast_overflow, "conversion of a floating-point number to a type that cannot hold it")
UNDEFINED(out_of_bounds, "index out of the bounds of its array")
UNDEFINED(vla_bound_not_positive, "the length of a variable-length array is not positive")
UNDEFINED(type_mismatch, "misaligned access")
UNDEFINED(alignment_assumption, "misaligned pointer")
UNDEFINED(add_overflow, "unsigned addition wraps around")
UNDEFINED(sub_overflow, "unsigned subtraction wraps around")
UNDEFINED(mul_overflow, "unsigned multiplication wraps around")
UNDEFINED(negate_overflow, "unsigned negation wraps around")
UNDEFINED(invalid_builtin, "leading or trailing zeros of 0 are counted")

/* What an execution relies on is noted by the engine only. */
__attribute__((weak)) void __selvedge_assumed(const char *id) { (void)id; }

/* Called for arithmetic whose overflow is undefined, where that is the recorded failure. */
void __selvedge_overflow(int overflows)
{
    if (overflows)
        fail("undefined arithmetic: the result does not fit, or the shift is too long");
}

/* Of the address sanitizer, if it is linked. */
__attribute__((weak)) void *__asan_region_is_poisoned(void *start, size_t size);

/* Before a call that may write so many bytes; a negative size is one that it refuses. */
void __selvedge_must_fit(void *buf, ptrdiff_t size)
{
    if (buf && size > 0 && __asan_region_is_poisoned && __asan_region_is_poisoned(buf, (size_t)size))
        fail("the call may write more bytes than its buffer has room for");
}

__attribute__((weak)) void klee_check_memory_access(const void *address, size_t size)
{
    if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)address, size))
        fail("`klee_check_memory_access` failed");
}

/* --- the end of the program --- */

static void at_end(void)
{
    struct sv_thread *t = sv_me;
    /* The leak detector has its say after this. */
    if (sv_kind == SV_LEAK && sv_has_arrived)
        return;
    if (!sv_stuck && (!t || t->number == sv_failing))
        sv_past("the program came to its end");
    if (!t)
        return;
    /* Another thread fails before the process is gone. */
    sv_lock();
    if (t->is_holding)
        sv_release(t);
    if (t->next < sv_n_steps)
        sv_diverged("thread %u ends the program before its step %zu", t->number, t->next);
    sv_park(t, SV_PARKED);
}

void selvedge_native__exit(int code)
{
    at_end();
    _exit(code);
}

void selvedge_native__Exit(int code) { selvedge_native__exit(code); }

/* --- the monitor --- */

/* Whether the kernel says that the thread sleeps. */
static int sleeps(int tid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 1;
    ssize_t n = read(file, text, sizeof text - 1);
    close(file);
    if (n <= 0)
        return 1;
    text[n] = 0;
    const char *state = strrchr(text, ')');
    return !state || state[2] != 'R';
}

static int all_sleep(int *any_alive)
{
    *any_alive = 0;
    for (size_t i = 0; i < sv_n_threads; i++) {
        const struct sv_thread *t = &sv_threads[i];
        if (!t->is_known || t->has_ended)
            continue;
        *any_alive = 1;
        if (!t->tid || !sleeps(t->tid))
            return 0;
    }
    return 1;
}

static uint64_t progress(void)
{
    uint64_t sum = sv_turn;
    for (size_t i = 0; i < sv_n_threads; i++)
        sum += sv_threads[i].count + (uint64_t)sv_threads[i].has_ended;
    return sum;
}

__attribute__((noreturn)) static void stuck(const char *word)
{
    sv_status(word);
    fflush(stdout);
    fprintf(stderr, "selvedge: %s\n", sv_message);
    list_threads();
    abort();
}

static void *monitor(void *unused)
{
    (void)unused;
    const char *text = patience_text;
    uint64_t patience = text && atoi(text) > 0 ? (uint64_t)atoi(text) * 1000 : PATIENCE_S * 1000;
    uint64_t last = 0, quiet = 0, over = 0;
    for (;;) {
        poll(NULL, 0, POLL_MS);
        int is_alive, is_quiet = all_sleep(&is_alive);
        uint64_t now = progress();
        quiet = now == last && is_quiet ? quiet + POLL_MS : 0;
        last = now;
        if (sv_stuck && sv_turn == sv_n_steps) {
            over += POLL_MS;
            if (sv_kind == SV_LIVELOCK && over >= LIVELOCK_MS && is_alive)
                stuck("livelock");
            if (sv_kind == SV_DEADLOCK && quiet >= DEADLOCK_MS && is_alive)
                stuck("deadlock");
        }
        /* A thread that blocks on itself: nobody has to wait for that. */
        if (sv_has_arrived && sv_kind == SV_DEADLOCK && quiet >= DEADLOCK_MS)
            stuck("deadlock");
        if (!is_alive && quiet >= DEADLOCK_MS)
            sv_past("all threads came to their ends");
        if (quiet >= patience) {
            if (sv_turn < sv_n_steps)
                sv_diverged("nothing moves, and step %zu of thread %u does not come (%s)", sv_turn,
                            sv_steps[sv_turn].thread, sv_point_of(sv_steps[sv_turn].site));
            sv_diverged("nothing moves, and thread %u does not come to the failure", sv_failing);
        }
    }
    return NULL;
}

void sv_start_monitor(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, monitor, NULL) != 0)
        abort();
    pthread_detach(thread);
    atexit(at_end);
}

/* --- the beginning --- */

int __selvedge_start(int argc, char **argv, char **environment);

static char *kept(const char *name)
{
    const char *value = getenv(name);
    return value ? strdup(value) : NULL;
}

void sv_set_environment(void)
{
    status_path = kept("SELVEDGE_STATUS");
    patience_text = kept("SELVEDGE_PATIENCE");
    sv_temporary = kept("TMPDIR");
    clearenv();
    for (char *const *variable = sv_environment; *variable; variable++) {
        char *own = strdup(*variable);
        if (!own || putenv(own) != 0)
            sv_diverged("the recorded environment cannot be given");
    }
}

/* The arguments, in blocks whose ends the address sanitizer knows. */
static char **arguments(void)
{
    static char **list;
    list = calloc((size_t)sv_argc + 1, sizeof *list);
    for (int i = 0; list && i < sv_argc; i++)
        if (!(list[i] = strdup(sv_args[i])))
            list = NULL;
    if (!list)
        sv_diverged("the recorded arguments cannot be given");
    return list;
}

int main(void)
{
    static char *nothing[] = {NULL};
    int code;
    code = __selvedge_start(sv_argc, arguments(), environ ? environ : nothing);
    exit(code);
}

/* Read by the sanitizers, if they are linked. */
const char *__tsan_default_options(void) { return "halt_on_error=1:abort_on_error=1:report_thread_leaks=0"; }

const char *__asan_default_options(void)
{
    return sv_kind == SV_LEAK ? "abort_on_error=1:detect_leaks=1"
                              : "abort_on_error=1:detect_leaks=0:detect_stack_use_after_return=1";
}
