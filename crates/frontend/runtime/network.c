/* Conversions of addresses and numbers of the internet; and gethostbyname, which knows no name. */
#define _GNU_SOURCE
#include "runtime.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

WEAK const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT;
WEAK const struct in6_addr in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

static _Thread_local int host_error;

WEAK int *__h_errno_location(void) { return &host_error; }

WEAK struct hostent *gethostbyname(const char *name)
{
    (void)*(const volatile char *)name;
    __selvedge_assumed("world.network");
    host_error = HOST_NOT_FOUND;
    return NULL;
}

WEAK const char *hstrerror(int error)
{
    switch (error) {
    case 0:
        return "Resolver Error 0 (no error)";
    case HOST_NOT_FOUND:
        return "Unknown host";
    case TRY_AGAIN:
        return "Host name lookup failure";
    case NO_RECOVERY:
        return "Unknown server error";
    case NO_DATA:
        return "No address associated with name";
    default:
        return "Unknown resolver error";
    }
}

WEAK uint16_t htons(uint16_t value) { return __builtin_bswap16(value); }
WEAK uint16_t ntohs(uint16_t value) { return __builtin_bswap16(value); }
WEAK uint32_t htonl(uint32_t value) { return __builtin_bswap32(value); }
WEAK uint32_t ntohl(uint32_t value) { return __builtin_bswap32(value); }

/* Four decimal numbers; the shorter and the octal forms are not modelled. */
WEAK in_addr_t inet_addr(const char *text)
{
    uint32_t address = 0;
    for (int part = 0; part < 4; part++) {
        unsigned value = 0;
        int digits = 0;
        for (; is_digit(*text); text++, digits++) {
            if (digits > 0 && value == 0)
                __selvedge_unsupported("inet_addr of octal or hexadecimal numbers");
            value = value * 10 + (unsigned)(*text - '0');
            if (value > 255)
                return INADDR_NONE;
        }
        if (digits == 0)
            return INADDR_NONE;
        address = address << 8 | value;
        if (part < 3 && *text++ != '.')
            return INADDR_NONE;
    }
    if (*text && !is_space(*text))
        return INADDR_NONE;
    return __builtin_bswap32(address);
}

/* Writes four decimal numbers; gives the end. */
static char *print_address(char *at, uint32_t address)
{
    for (int part = 0; part < 4; part++) {
        unsigned value = address >> 8 * part & 255;
        if (value >= 100)
            *at++ = (char)('0' + value / 100);
        if (value >= 10)
            *at++ = (char)('0' + value / 10 % 10);
        *at++ = (char)('0' + value % 10);
        *at++ = part < 3 ? '.' : '\0';
    }
    return at;
}

/* 1, or 0 if it is no such address. */
static int parse_address(const char *text, uint32_t *to)
{
    uint32_t address = 0;
    for (int part = 0; part < 4; part++) {
        unsigned value = 0;
        int digits = 0;
        for (; is_digit(*text); text++, digits++) {
            if (digits > 0 && value == 0)
                return 0;
            value = value * 10 + (unsigned)(*text - '0');
            if (value > 255)
                return 0;
        }
        if (digits == 0)
            return 0;
        address = address << 8 | value;
        if (part < 3 && *text++ != '.')
            return 0;
    }
    if (*text)
        return 0;
    *to = __builtin_bswap32(address);
    return 1;
}

WEAK int __selvedge_inet_pton(int family, const char *restrict text, void *restrict to)
{
    if (family == AF_INET)
        return parse_address(text, to);
    if (family != AF_INET6) {
        errno = EAFNOSUPPORT;
        return -1;
    }
    if (text[0] == ':' && text[1] == ':' && (text[2] == 0 || (text[2] == '1' && text[3] == 0))) {
        *(struct in6_addr *)to = text[2] ? (struct in6_addr)IN6ADDR_LOOPBACK_INIT : (struct in6_addr)IN6ADDR_ANY_INIT;
        return 1;
    }
    __selvedge_unsupported("inet_pton of an address of version 6 other than :: and ::1");
}

WEAK int inet_pton(int family, const char *restrict text, void *restrict to)
{
    return __selvedge_inet_pton(family, text, to);
}

WEAK int inet_aton(const char *text, struct in_addr *to)
{
    if (parse_address(text, &to->s_addr))
        return 1;
    __selvedge_unsupported("inet_aton of something other than four decimal numbers");
}

WEAK const char *inet_ntop(int family, const void *restrict from, char *restrict to, socklen_t room)
{
    char text[sizeof "255.255.255.255"];
    if (family == AF_INET6)
        __selvedge_unsupported("inet_ntop of an address of version 6");
    if (family != AF_INET) {
        errno = EAFNOSUPPORT;
        return NULL;
    }
    uint32_t address;
    __builtin_memcpy(&address, from, sizeof address);
    size_t size = (size_t)(print_address(text, address) - text);
    if (size > room) {
        errno = ENOSPC;
        return NULL;
    }
    __builtin_memcpy(to, text, size);
    return to;
}

WEAK char *inet_ntoa(struct in_addr address)
{
    static _Thread_local char text[sizeof "255.255.255.255"];
    print_address(text, address.s_addr);
    return text;
}
