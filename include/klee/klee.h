/* KLEE's interface, as Selvedge understands it: harnesses written for KLEE compile and run unchanged.
 *
 * What the engine does with each function is in Selvedge's documentation; those that only steer KLEE's
 * search (merging, preferences, warnings) have no effect.
 */
#ifndef SELVEDGE_KLEE_KLEE_H
#define SELVEDGE_KLEE_KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the `nbytes` bytes at `addr` arbitrary; `name` appears in reports. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);

/* An arbitrary integer with `begin <= x < end`. */
int klee_range(int begin, int end, const char *name);

/* An arbitrary integer. */
int klee_int(const char *name);

/* Only paths on which `condition` is not zero go on. */
void klee_assume(uintptr_t condition);

/* An arbitrary number below `n`. */
uintptr_t klee_choose(uintptr_t n);

/* Whether the value depends on an input. */
unsigned klee_is_symbolic(uintptr_t n);

/* Whether this is the replay of a test: never, in the engine. */
unsigned klee_is_replay(void);

/* Ends the path without a report. */
__attribute__((noreturn)) void klee_silent_exit(int status);

/* Ends the path with a report. */
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                 const char *suffix);

/* The size of the object that `ptr` points to the start of. */
size_t klee_get_obj_size(void *ptr);

/* Checks that `size` bytes at `address` may be accessed. */
void klee_check_memory_access(const void *address, size_t size);

/* Messages and hints. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *msg, ...);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_stack_trace(void);
void klee_set_forking(unsigned enable);
void klee_define_fixed_object(void *addr, size_t nbytes);
void klee_alias_function(const char *fn_name, const char *new_fn_name);

/* One of the values that the expression can have on this path. */
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

#ifdef __cplusplus
}
#endif

#define klee_assert(expr) \
    ((expr) ? (void)0 : klee_report_error(__FILE__, __LINE__, "assertion failed: " #expr, "assert.err"))

#endif
