/* Internet addresses as text and back (arpa/inet.h), for version 4; those of version 6 are not modelled. */
#define _GNU_SOURCE
#include "runtime.h"

#include "digits.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

/* One number of an address in dots, in C's notation; NULL if there is none or it is above `max`. */
static const char *read_part(const char *text, unsigned long long max, unsigned *value)
{
    unsigned base = 10;
    if (!is_digit((unsigned char)*text))
        return NULL;
    if (*text == '0') {
        base = 8;
        if ((text[1] | 32) == 'x') {
            base = 16;
            text += 2;
        }
    }
    struct digits d;
    digits_start(&d, base);
    for (; digit_value((unsigned char)*text, base) < base; text++)
        digits_add(&d, digit_value((unsigned char)*text, base));
    /* A digit that the base has not, as in 08. */
    if (is_digit((unsigned char)*text) || d.magnitude > max)
        return NULL;
    *value = (unsigned)d.magnitude;
    return text;
}

/* One to four parts; the last fills the bytes that the others leave. */
static int read_address(const char *text, struct in_addr *to)
{
    unsigned parts[4], n = 0;
    for (;;) {
        text = read_part(text, UINT32_MAX, &parts[n]);
        if (!text)
            return 0;
        n++;
        if (*text != '.')
            break;
        if (n == 4 || parts[n - 1] > 255)
            return 0;
        text++;
    }
    if (*text && !is_space((unsigned char)*text))
        return 0;
    if (n > 1 && parts[n - 1] > UINT32_MAX >> 8 * (n - 1))
        return 0;
    uint32_t address = parts[n - 1];
    for (unsigned i = 0; i + 1 < n; i++)
        address |= parts[i] << (24 - 8 * i);
    if (to)
        to->s_addr = __builtin_bswap32(address);
    return 1;
}

WEAK int inet_aton(const char *text, struct in_addr *to) { return read_address(text, to); }

WEAK in_addr_t inet_addr(const char *text)
{
    struct in_addr address;
    return read_address(text, &address) ? address.s_addr : INADDR_NONE;
}

WEAK int __selvedge_inet_pton(int family, const char *restrict text, void *restrict to)
{
    if (family == AF_INET6)
        __selvedge_unsupported("inet_pton of an address of version 6");
    if (family != AF_INET) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++) {
        if (i > 0 && *text++ != '.')
            return 0;
        if (!is_digit((unsigned char)*text) || (text[0] == '0' && is_digit((unsigned char)text[1])))
            return 0;
        unsigned value = 0;
        for (; is_digit((unsigned char)*text); text++) {
            value = 10 * value + (unsigned)(*text - '0');
            if (value > 255)
                return 0;
        }
        bytes[i] = (unsigned char)value;
    }
    if (*text)
        return 0;
    memcpy(to, bytes, sizeof bytes);
    return 1;
}

WEAK int inet_pton(int family, const char *restrict text, void *restrict to)
{
    return __selvedge_inet_pton(family, text, to);
}

WEAK const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t size)
{
    if (family == AF_INET6)
        __selvedge_unsupported("inet_ntop of an address of version 6");
    if (family != AF_INET) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    const unsigned char *bytes = from;
    char text[INET_ADDRSTRLEN];
    size_t n = 0;
    for (int i = 0; i < 4; i++) {
        unsigned value = bytes[i];
        if (i > 0)
            text[n++] = '.';
        if (value >= 100)
            text[n++] = (char)('0' + value / 100);
        if (value >= 10)
            text[n++] = (char)('0' + value / 10 % 10);
        text[n++] = (char)('0' + value % 10);
    }
    text[n++] = 0;
    if (n > size) {
        errno = ENOSPC;
        return NULL;
    }
    return memcpy(to, text, n);
}
