/* Lists of spans, linked both ways and sorted by address. Spans stand in one array in the order of their pages, so comparing
 * their own addresses will do. */
#include "internal.h"

void list_insert(Span **list, Span *span)
{
    Span *before = NULL, *after = *list;
    while (after && after < span) {
        before = after;
        after = after->after;
    }
    span->before = before;
    span->after = after;
    if (before)
        before->after = span;
    else
        *list = span;
    if (after)
        after->before = span;
}

void list_remove(Span **list, Span *span)
{
    if (span->before)
        span->before->after = span->after;
    else
        *list = span->after;
    if (span->after)
        span->after->before = span->before;
    span->before = span->after = NULL;
}
