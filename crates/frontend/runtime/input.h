/* How input from a stream of C++ begins: shared by istream.c and extract.c. */
#ifndef SELVEDGE_INPUT_H
#define SELVEDGE_INPUT_H

#include "iostreams.h"

/* The character after white space, or EOF; it stays there. */
static inline int skip_spaces(struct buffer *buffer)
{
    int c;
    while ((c = look(buffer)) != EOF && is_space(c))
        take(buffer);
    return c;
}

/* std::istream::sentry: whether something can be read. */
static inline int starts(struct ios *ios, int keeps_spaces)
{
    unsigned bits = ios->state;
    if (bits == 0 && !keeps_spaces && (ios->flags & SKIPWS) && skip_spaces(ios->buffer) == EOF)
        bits = AT_END;
    if (bits == 0)
        return 1;
    set_state(ios, bits | FAIL);
    return 0;
}

#endif
