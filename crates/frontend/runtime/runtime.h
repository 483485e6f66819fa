/* What the files of the C run-time share: the hooks into the engine and the few helpers that cross files.
 *
 * Rules of this folder:
 *  - Every function a program can call is `WEAK`: a definition of the same name in the program wins, as it would
 *    against a real libc.
 *  - The run-time therefore never calls its own public names (a program may define its own `getline` or `index` with
 *    another meaning); it calls static helpers, names that start with `__selvedge_`, or what the engine itself provides
 *    (malloc, free, realloc, memcpy, memmove, memset, fwrite, fputc, abort).
 *  - A branch on symbolic data is a fork of the search. Where it costs nothing, values are computed without branches:
 *    `&` and comparisons used as numbers instead of `&&` and `?:`.
 *  - What is not modelled calls `__selvedge_unsupported`, so the verdict becomes `unknown`; nothing is made up.
 */
#ifndef SELVEDGE_RUNTIME_H
#define SELVEDGE_RUNTIME_H

/* With optimisation glibc's headers define some functions inline; here they must only declare them. */
#undef __OPTIMIZE__

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define WEAK __attribute__((weak))

/* Called by the engine and not only by the program: must survive the removal of unused functions. */
#define ENGINE_ENTRY __attribute__((weak, used))

/* Provided by the engine. */
__attribute__((noreturn)) void __selvedge_exit(int code);
__attribute__((noreturn)) void __selvedge_unsupported(const char *what);
void __selvedge_assumed(const char *id); /* this path relies on an assumption: see exec/src/ledger.rs */
int __selvedge_stdin(void);
/* Whether a call of a family ("io", "memory", "threads") fails: 0, or which of n errors it ends in, from 1. See
 * exec/src/models/failing.rs. Where nobody asked for failures it is always 0, and noted as an assumption. */
int __selvedge_may_fail(const char *family, int n_errors);
/* It is an error unless the program's buffer has room for all bytes that the call may write, however many there are to
 * write this time. */
void __selvedge_must_fit(const void *buf, size_t size);
/* How many bytes can be written from there to the end of the object. */
size_t __selvedge_room(const void *buf);
double __selvedge_strtod(const char *text, char **end, int *out_of_range);
float __selvedge_strtof(const char *text, char **end, int *out_of_range);
long double __selvedge_strtold(const char *text, char **end, int *out_of_range);
int __selvedge_format_double(char *buf, unsigned long size, const char *spec, double value);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
long long __VERIFIER_nondet_longlong(void);
void __VERIFIER_assume(int condition);

/* Shared between files of the run-time. */

/* The number of the process. */
#define THIS_PROCESS 1000

/* The formatter behind the printf family; writes at most `size` bytes, the last one a NUL; returns the full length. */
int __selvedge_format(char *buf, size_t size, const char *format, va_list args);

/* The scanner behind the scanf family; reads from `text`, or from the stream `file` where `text` is NULL.
 * `binary_prefix`: as C23 has it, `%i` understands 0b101. */
int __selvedge_scan(const char *text, void *file, const char *format, va_list args, int binary_prefix);

/* The next byte of a stream, -1 at its end; putting the last one back; and whether it was opened for reading. See
 * stream.c. */
int __selvedge_getc(void *file);
int __selvedge_ungetc(int byte, void *file);
int __selvedge_is_readable(void *file);

/* A call that takes as many bytes as come has put so many into a buffer, and meets the end of a stream. Whether it is
 * only our bound that ends it there: then it goes on for longer than the buffer has room. See stream.c. */
int __selvedge_goes_on(void *file, const char *buf, size_t used);

/* `f` destroys the running thread's variables of C++: see threadlocal.c. `exit` is to call it first. */
void __selvedge_at_thread_end(void (*f)(void));

/* The text of an error number. */
const char *__selvedge_error_text(int error);

/* A buffer of the run-time's is to get a text: what the text leaves free of it is unknown, as in a real library, whose
 * buffer has another size and other things before. */
#define FORGET(buffer)                                                                                                 \
    do {                                                                                                               \
        char unwritten[sizeof(buffer)];                                                                                \
        memcpy(buffer, unwritten, sizeof(buffer));                                                                     \
    } while (0)

/* In a function that need not be safe for threads and shares nothing here: two calls at the same time are a race. */
#define NOT_FOR_THREADS                                                                                                \
    do {                                                                                                               \
        static volatile char in_use __attribute__((unused));                                                                                   \
        in_use = 1;                                                                                                    \
    } while (0)

/* Classes of the C locale, as numbers without a branch; `c` may be anything. */
static inline int is_space(int c) { return (c == ' ') | ((unsigned)c - '\t' < 5u); }
static inline int is_digit(int c) { return (unsigned)c - '0' < 10u; }
static inline int is_upper(int c) { return (unsigned)c - 'A' < 26u; }
static inline int to_lower(int c) { return c + 32 * is_upper(c); }

#endif
