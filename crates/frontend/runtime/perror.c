/* perror. */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdio.h>

WEAK void perror(const char *message)
{
    const char *text = __selvedge_error_text(errno);
    if (message && *message) {
        for (; *message; message++)
            fputc(*message, stderr);
        fputc(':', stderr);
        fputc(' ', stderr);
    }
    for (; *text; text++)
        fputc(*text, stderr);
    fputc('\n', stderr);
}
