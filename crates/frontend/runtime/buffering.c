/* Buffers of streams, of which there are none: see streams.h. (fflush: output.c.) */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdio.h>

static int is_mode(int mode) { return mode == _IOFBF || mode == _IOLBF || mode == _IONBF; }

WEAK int setvbuf(FILE *file, char *buf, int mode, size_t size)
{
    (void)*(volatile char *)file; /* a null stream is an error */
    (void)buf, (void)size;
    return is_mode(mode) ? 0 : -1;
}

WEAK void setbuf(FILE *file, char *buf) { (void)*(volatile char *)file, (void)buf; }
WEAK void setbuffer(FILE *file, char *buf, size_t size) { (void)*(volatile char *)file, (void)buf, (void)size; }
WEAK void setlinebuf(FILE *file) { (void)*(volatile char *)file; }
