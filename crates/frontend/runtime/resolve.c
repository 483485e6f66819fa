/* getaddrinfo, for numbers and localhost. */
#define _GNU_SOURCE
#include "runtime.h"

#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int __selvedge_inet_pton(int family, const char *restrict text, void *restrict to);

/* A number of a port, or -1. */
static long port_number(const char *text)
{
    long port = 0;
    if (!*text)
        return -1;
    for (; is_digit(*text); text++) {
        port = port * 10 + (*text - '0');
        if (port > 65535)
            return -1;
    }
    return *text ? -1 : port;
}

static int is_localhost(const char *name)
{
    static const char local[] = "localhost";
    for (size_t i = 0; i < sizeof local; i++) {
        if (name[i] != local[i])
            return 0;
    }
    return 1;
}

/* The entry and its address are one block. */
struct found {
    struct addrinfo info;
    struct sockaddr_in address;
};

WEAK int getaddrinfo(const char *restrict name, const char *restrict service, const struct addrinfo *restrict hints,
                     struct addrinfo **restrict result)
{
    int flags = hints ? hints->ai_flags : 0;
    int family = hints ? hints->ai_family : AF_UNSPEC;
    if (!name && !service)
        return EAI_NONAME;
    if (family == AF_INET6)
        __selvedge_unsupported("getaddrinfo of addresses of version 6");
    if (family != AF_UNSPEC && family != AF_INET)
        return EAI_FAMILY;
    if (flags & ~(AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV | AI_ADDRCONFIG | AI_V4MAPPED))
        __selvedge_unsupported("this flag of getaddrinfo");
    if (hints && hints->ai_socktype != SOCK_STREAM)
        __selvedge_unsupported("getaddrinfo for sockets other than streams");
    if (!hints)
        __selvedge_unsupported("getaddrinfo without hints");
    long port = service ? port_number(service) : 0;
    if (port < 0) {
        if (flags & AI_NUMERICSERV)
            return EAI_NONAME;
        __selvedge_unsupported("getaddrinfo of the name of a service");
    }
    in_addr_t address = __builtin_bswap32(flags & AI_PASSIVE ? INADDR_ANY : INADDR_LOOPBACK);
    if (name && !__selvedge_inet_pton(AF_INET, name, &address)) {
        if (flags & AI_NUMERICHOST)
            return EAI_NONAME;
        if (!is_localhost(name))
            __selvedge_unsupported("getaddrinfo of a name other than localhost");
        address = __builtin_bswap32(INADDR_LOOPBACK);
    }
    /* A system with both versions would give two where the family is open. */
    __selvedge_assumed("world.network");
    struct found *found = malloc(sizeof *found);
    if (!found)
        return EAI_MEMORY;
    memset(found, 0, sizeof *found);
    found->address.sin_family = AF_INET;
    found->address.sin_port = __builtin_bswap16((uint16_t)port);
    found->address.sin_addr.s_addr = address;
    found->info.ai_family = AF_INET;
    found->info.ai_socktype = SOCK_STREAM;
    found->info.ai_protocol = 6;
    found->info.ai_addrlen = sizeof found->address;
    found->info.ai_addr = (struct sockaddr *)&found->address;
    *result = &found->info;
    return 0;
}

WEAK void freeaddrinfo(struct addrinfo *all)
{
    while (all) {
        struct addrinfo *next = all->ai_next;
        free(all);
        all = next;
    }
}

WEAK const char *gai_strerror(int error)
{
    switch (error) {
    case EAI_NONAME:
        return "Name or service not known";
    case EAI_FAMILY:
        return "ai_family not supported";
    case EAI_MEMORY:
        return "Memory allocation failure";
    default:
        return "Unknown error";
    }
}
