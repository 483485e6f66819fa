/* The recorded inputs, in the order in which each thread consumes them. */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((weak))

void sv_take_input(void *to, uint64_t size, uint32_t environment)
{
    struct sv_thread *t = sv_me;
    memset(to, 0, size);
    if (!t || t->mode == SV_LET_GO)
        return;
    size_t i = t->next_input;
    for (; i < sv_n_inputs; i++) {
        if (sv_inputs[i].thread != t->number)
            continue;
        if (sv_inputs[i].environment != SV_CUT_SHORT)
            break;
        if (sv_bytes[sv_inputs[i].offset])
            sv_diverged("thread %u is not interrupted in its call at %s", t->number, sv_point_of(t->site));
    }
    if (i == sv_n_inputs)
        sv_diverged("thread %u asks for more inputs than were recorded, at %s", t->number, sv_point_of(t->site));
    const struct sv_input *input = &sv_inputs[i];
    if (input->size != size || input->environment != environment)
        sv_diverged("thread %u asks for an input of %llu bytes at %s, where the record has one of %llu%s", t->number,
                    (unsigned long long)size, sv_point_of(t->site), (unsigned long long)input->size,
                    input->environment != environment ? " of another kind" : "");
    memcpy(to, sv_bytes + input->offset, size);
    t->next_input = i + 1;
}

/* The arguments of an entry function. */
void __selvedge_input(void *to, uint64_t size) { sv_take_input(to, size, 0); }

/* --- scalars --- */

/* nondet_* and __VERIFIER_nondet_* are made for each program, with the types that it declares; parts of the run-time
 * use these. */
#define SCALAR(type, name)                                                                                    \
    WEAK type name(void)                                                                                      \
    {                                                                                                         \
        type value;                                                                                           \
        sv_take_input(&value, sizeof value, 0);                                                               \
        return value;                                                                                         \
    }
SCALAR(int, __VERIFIER_nondet_int)
SCALAR(long, __VERIFIER_nondet_long)
SCALAR(long long, __VERIFIER_nondet_longlong)

static _Bool take_bool(void)
{
    unsigned char value;
    sv_take_input(&value, 1, 0);
    return value & 1;
}

#define NAMED(type, name)                                                                                     \
    WEAK type name(const char *text)                                                                          \
    {                                                                                                         \
        type value;                                                                                           \
        (void)text;                                                                                           \
        sv_take_input(&value, sizeof value, 0);                                                               \
        return value;                                                                                         \
    }
NAMED(int, selvedge_int)
NAMED(unsigned, selvedge_uint)
NAMED(char, selvedge_char)
NAMED(signed char, selvedge_schar)
NAMED(unsigned char, selvedge_uchar)
NAMED(short, selvedge_short)
NAMED(unsigned short, selvedge_ushort)
NAMED(long, selvedge_long)
NAMED(unsigned long, selvedge_ulong)
NAMED(long long, selvedge_longlong)
NAMED(unsigned long long, selvedge_ulonglong)
NAMED(size_t, selvedge_size)
NAMED(int8_t, selvedge_i8)
NAMED(uint8_t, selvedge_u8)
NAMED(int16_t, selvedge_i16)
NAMED(uint16_t, selvedge_u16)
NAMED(int32_t, selvedge_i32)
NAMED(uint32_t, selvedge_u32)
NAMED(int64_t, selvedge_i64)
NAMED(uint64_t, selvedge_u64)
NAMED(float, selvedge_float)
NAMED(double, selvedge_double)
NAMED(int, klee_int)

WEAK _Bool selvedge_bool(const char *name)
{
    (void)name;
    return take_bool();
}

static int take_int(void)
{
    int value;
    sv_take_input(&value, sizeof value, 0);
    return value;
}

WEAK int selvedge_range(int low, int high, const char *name)
{
    (void)low, (void)high, (void)name;
    return take_int();
}

WEAK int klee_range(int low, int high, const char *name)
{
    (void)low, (void)high, (void)name;
    return take_int();
}

WEAK uintptr_t klee_choose(uintptr_t n)
{
    uintptr_t value;
    (void)n;
    sv_take_input(&value, sizeof value, 0);
    return value;
}

/* --- objects --- */

static void make(void *object, size_t size)
{
    if (size > 0)
        sv_take_input(object, size, 0);
}

WEAK void klee_make_symbolic(void *object, size_t size, const char *name)
{
    (void)name;
    make(object, size);
}

WEAK void selvedge_symbolic(void *object, size_t size, const char *name)
{
    (void)name;
    make(object, size);
}

/* --- assumptions --- */

/* One that does not hold ends its thread only: others may be the ones that fail. */
static void assume(int condition)
{
    struct sv_thread *t = sv_me;
    if (condition || !t || t->mode == SV_LET_GO)
        return;
    if (t->number == sv_failing)
        sv_diverged("an assumption does not hold at %s", sv_point_of(t->site));
    sv_lock();
    if (t->is_holding)
        sv_release(t);
    sv_park(t, SV_PARKED);
}

WEAK void __VERIFIER_assume(int condition) { assume(condition); }
WEAK void __CPROVER_assume(int condition) { assume(condition & 0xff); }
WEAK void __ESBMC_assume(int condition) { assume(condition & 0xff); }
WEAK void klee_assume(uintptr_t condition) { assume(condition != 0); }
WEAK void selvedge_assume(_Bool condition) { assume(condition); }

/* --- clocks --- */

uint64_t __selvedge_time(void)
{
    uint64_t value;
    sv_take_input(&value, sizeof value, 1);
    return value;
}

/* Two steps of a sleep are one here, so that a clock may seem to go back. */
void __selvedge_assume_time(int holds) { (void)holds; }
int __selvedge_is_symbolic(uintptr_t n) { return (void)n, 0; }
int __selvedge_clock_is_read(void) { return 1; }
int __selvedge_clock_is_fixed(void) { return sv_clock_is_fixed; }
int __selvedge_clock_counts(void) { return sv_clock_counts; }

/* --- what only tells the engine something --- */

void __selvedge_assumed(const char *id) { (void)id; }

WEAK unsigned klee_is_symbolic(uintptr_t n) { return (void)n, 0; }
WEAK unsigned klee_is_replay(void) { return 0; }
WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_warning(const char *text) { (void)text; }
WEAK void klee_warning_once(const char *text) { (void)text; }
WEAK void klee_print_expr(const char *text, ...) { (void)text; }
WEAK void klee_print_range(const char *text, int n) { (void)text, (void)n; }
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}
WEAK void klee_mark_global(void *object) { (void)object; }
WEAK void klee_set_forking(unsigned enable) { (void)enable; }
WEAK void klee_stack_trace(void) {}
WEAK void __CPROVER_input(void) {}
WEAK void __CPROVER_output(void) {}
WEAK void __CPROVER_cover(void) {}
WEAK void __ESBMC_cover(void) {}
WEAK void __VERIFIER_loop_bound(int n) { (void)n; }
WEAK float klee_get_valuef(float value) { return value; }
WEAK double klee_get_valued(double value) { return value; }
WEAK long klee_get_valuel(long value) { return value; }
WEAK long long klee_get_valuell(long long value) { return value; }
WEAK int32_t klee_get_value_i32(int32_t value) { return value; }
WEAK int64_t klee_get_value_i64(int64_t value) { return value; }
WEAK void klee_silent_exit(int code) { exit(code); }

/* --- calls that may fail --- */

static uint32_t n_failures;

unsigned sv_failure(int may)
{
    unsigned char choice = 0;
    if (may && __atomic_load_n(&n_failures, __ATOMIC_RELAXED) < sv_fail_at_most)
        sv_take_input(&choice, 1, 1);
    if (choice != 0)
        sv_count_failure();
    return choice;
}

void sv_count_failure(void) { __atomic_fetch_add(&n_failures, 1, __ATOMIC_RELAXED); }

int __selvedge_may_fail(const char *calls, int n)
{
    if (strcmp(calls, "memory") == 0)
        return sv_memory_fails();
    unsigned which = sv_failure(sv_threads_may_fail);
    return which > (unsigned)n ? n : (int)which;
}

void *selvedge_native_malloc(size_t size) { return sv_memory_fails() ? NULL : malloc(size); }
void *selvedge_native_valloc(size_t size) { return sv_memory_fails() ? NULL : valloc(size); }

void *selvedge_native_calloc(size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all) || sv_memory_fails())
        return NULL;
    return calloc(n, size);
}

void *selvedge_native_realloc(void *block, size_t size)
{
    if (block && size == 0)
        return realloc(block, size);
    return sv_memory_fails() ? NULL : realloc(block, size);
}

void *selvedge_native_reallocarray(void *block, size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all))
        return NULL;
    return selvedge_native_realloc(block, all);
}

static int is_power_of_two(size_t n) { return n && !(n & (n - 1)); }

void *selvedge_native_aligned_alloc(size_t align, size_t size)
{
    return !is_power_of_two(align) || sv_memory_fails() ? NULL : aligned_alloc(align, size);
}

void *selvedge_native_memalign(size_t align, size_t size)
{
    return !is_power_of_two(align) || sv_memory_fails() ? NULL : memalign(align, size);
}

int selvedge_native_posix_memalign(void **block, size_t align, size_t size)
{
    if (!is_power_of_two(align) || align < sizeof(void *))
        return EINVAL;
    return sv_memory_fails() ? ENOMEM : posix_memalign(block, align, size);
}
