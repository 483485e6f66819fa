/* Compares functions of the run-time (their symbols prefixed with rt_) with those of the host's libc. */
#ifndef CHECK_H
#define CHECK_H

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Declares rt_NAME with the type of the host's NAME. */
#define RT(name) extern __typeof__(name) rt_##name

extern int *rt___errno_location(void);
#define rt_errno (*rt___errno_location())

/* Counts a comparison and ends the program at the first that fails. */
#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        n_checks++;                                                                                                    \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n  ", __FILE__, __LINE__, #condition);                                                   \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

extern long n_checks;

/* A fixed sequence of pseudo-random numbers. */
uint64_t random_bits(void);
static inline unsigned below(unsigned n) { return (unsigned)(random_bits() >> 33) % n; }

/* A number that is small, large, close to a limit, or anything. */
long long random_number(void);

/* Fills `to` with `length` bytes of `alphabet` and a NUL. */
void random_text(char *to, size_t length, const char *alphabet);

static inline int sign(int x) { return (x > 0) - (x < 0); }

/* What standard input of the run-time holds. */
extern const char *stdin_text;
extern size_t stdin_length, stdin_position;

/* Whether all assumptions held since this was last set to 1. */
extern int assumptions_hold;

void check_options(void);
void check_strings(void);
void check_classes(void);
void check_numbers(void);
void check_formats(void);
void check_scans(void);
void check_streams(void);
void check_files(void);
void check_sorts(void);
void check_clocks(void);
void check_calendar(void);
void check_exit(void);

#endif
