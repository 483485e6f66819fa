/* memcpy, memmove and memset for a length the engine does not know.
 *
 * With a known length the engine copies at once; it calls these only for a symbolic length, where the loop forks over
 * the lengths that are possible.
 */
#include "runtime.h"

ENGINE_ENTRY void *__selvedge_memcpy_loop(void *to, const void *from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++)
        d[i] = s[i];
    return to;
}

ENGINE_ENTRY void *__selvedge_memmove_loop(void *to, const void *from, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    if ((uintptr_t)d <= (uintptr_t)s) {
        for (size_t i = 0; i < n; i++)
            d[i] = s[i];
    } else {
        while (n--)
            d[n] = s[n];
    }
    return to;
}

ENGINE_ENTRY void *__selvedge_memset_loop(void *to, int byte, size_t n)
{
    unsigned char *d = to;
    for (size_t i = 0; i < n; i++)
        d[i] = (unsigned char)byte;
    return to;
}
