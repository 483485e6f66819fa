/* The mark of failure of a stream. A program that asks for it needs the output that sets it: see streams.h. */
#include "streams.h"

static int has_failed(FILE *file)
{
    __selvedge_output_moves();
    return stream_of(file)->failed;
}

WEAK int ferror(FILE *file) { return has_failed(file); }
WEAK int ferror_unlocked(FILE *file) { return has_failed(file); }
