/* The network: there is none. Conversions of addresses and numbers are what they are everywhere.
 *
 * No socket can be made, so what takes one gets a bad descriptor, and no name is known.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

WEAK int socket(int domain, int type, int protocol)
{
    (void)domain, (void)type, (void)protocol;
    errno = EAFNOSUPPORT;
    return -1;
}

/* 0, 1 and 2 are open, but no sockets. */
static int no_socket(int descriptor)
{
    errno = (unsigned)descriptor < 3u ? ENOTSOCK : EBADF;
    return -1;
}

WEAK int connect(int s, const struct sockaddr *to, socklen_t n) { return (void)to, (void)n, no_socket(s); }
WEAK int bind(int s, const struct sockaddr *to, socklen_t n) { return (void)to, (void)n, no_socket(s); }
WEAK int listen(int s, int backlog) { return (void)backlog, no_socket(s); }
WEAK int shutdown(int s, int how) { return (void)how, no_socket(s); }

WEAK int accept(int s, struct sockaddr *restrict from, socklen_t *restrict n)
{
    (void)from, (void)n;
    return no_socket(s);
}

WEAK int setsockopt(int s, int level, int name, const void *value, socklen_t n)
{
    (void)level, (void)name, (void)value, (void)n;
    return no_socket(s);
}

WEAK ssize_t send(int s, const void *buf, size_t n, int flags)
{
    (void)buf, (void)n, (void)flags;
    return no_socket(s);
}

WEAK ssize_t recv(int s, void *buf, size_t n, int flags)
{
    (void)buf, (void)n, (void)flags;
    return no_socket(s);
}

static _Thread_local int host_error;

WEAK int *__h_errno_location(void) { return &host_error; }

WEAK struct hostent *gethostbyname(const char *name)
{
    (void)*(const volatile char *)name;
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
