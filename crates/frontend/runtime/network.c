/* Numbers of the internet, addresses as text; and gethostbyname, which knows no name. */
#define _GNU_SOURCE
#include "runtime.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>

WEAK const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT;
WEAK const struct in6_addr in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

static _Thread_local int host_error;

WEAK int *__h_errno_location(void) { return &host_error; }

WEAK struct hostent *gethostbyname(const char *name)
{
    NOT_FOR_THREADS;
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

WEAK char *inet_ntoa(struct in_addr address)
{
    static _Thread_local char text[sizeof "255.255.255.255"];
    FORGET(text);
    char *at = text;
    for (int part = 0; part < 4; part++) {
        unsigned value = address.s_addr >> 8 * part & 255;
        if (value >= 100)
            *at++ = (char)('0' + value / 100);
        if (value >= 10)
            *at++ = (char)('0' + value / 10 % 10);
        *at++ = (char)('0' + value % 10);
        *at++ = part < 3 ? '.' : '\0';
    }
    return text;
}
