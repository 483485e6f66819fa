/* The names of the scanf family. glibc's headers call the __isoc99_ ones, and since 2.38 in C23 mode the __isoc23_
 * ones, whose %i also understands binary numbers.
 */
#include "runtime.h"

/* Not <stdio.h>: it renames sscanf to __isoc99_sscanf or __isoc23_sscanf, and all three are defined here. */
typedef struct _IO_FILE FILE;
extern FILE *stdin;

/* Defines the six functions under one prefix. */
#define FAMILY(prefix, binary)                                                                                         \
    WEAK int prefix##sscanf(const char *text, const char *format, ...)                                                 \
    {                                                                                                                  \
        va_list args;                                                                                                  \
        va_start(args, format);                                                                                        \
        int result = __selvedge_scan(text, NULL, format, args, binary);                                                \
        va_end(args);                                                                                                  \
        return result;                                                                                                 \
    }                                                                                                                  \
    WEAK int prefix##vsscanf(const char *text, const char *format, va_list args)                                       \
    {                                                                                                                  \
        return __selvedge_scan(text, NULL, format, args, binary);                                                      \
    }                                                                                                                  \
    WEAK int prefix##fscanf(FILE *file, const char *format, ...)                                                       \
    {                                                                                                                  \
        va_list args;                                                                                                  \
        va_start(args, format);                                                                                        \
        int result = __selvedge_scan(NULL, file, format, args, binary);                                                \
        va_end(args);                                                                                                  \
        return result;                                                                                                 \
    }                                                                                                                  \
    WEAK int prefix##vfscanf(FILE *file, const char *format, va_list args)                                             \
    {                                                                                                                  \
        return __selvedge_scan(NULL, file, format, args, binary);                                                      \
    }                                                                                                                  \
    WEAK int prefix##scanf(const char *format, ...)                                                                    \
    {                                                                                                                  \
        va_list args;                                                                                                  \
        va_start(args, format);                                                                                        \
        int result = __selvedge_scan(NULL, stdin, format, args, binary);                                               \
        va_end(args);                                                                                                  \
        return result;                                                                                                 \
    }                                                                                                                  \
    WEAK int prefix##vscanf(const char *format, va_list args)                                                          \
    {                                                                                                                  \
        return __selvedge_scan(NULL, stdin, format, args, binary);                                                     \
    }

FAMILY(, 0)
FAMILY(__isoc99_, 0)
FAMILY(__isoc23_, 1)
