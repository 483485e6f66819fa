/* Options of sockets. Those that only change how fast something works change nothing here. */
#include "socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/time.h>

/* Whether setting it makes no difference that the model shows. */
static int is_harmless(int level, int name)
{
    if (level == SOL_SOCKET)
        return name == SO_REUSEADDR || name == SO_REUSEPORT || name == SO_KEEPALIVE || name == SO_SNDBUF ||
               name == SO_RCVBUF || name == SO_BROADCAST || name == SO_PRIORITY || name == SO_DEBUG;
    if (level == IPPROTO_TCP)
        return name == TCP_NODELAY || name == TCP_KEEPIDLE || name == TCP_KEEPINTVL || name == TCP_KEEPCNT ||
               name == TCP_CORK || name == TCP_QUICKACK;
    return level == IPPROTO_IPV6 && name == IPV6_V6ONLY;
}

/* SO_RCVTIMEO and SO_SNDTIMEO: how long a call waits before it fails with EAGAIN. */
static int set_limit(int number, int name, const void *value, socklen_t size)
{
    struct timeval time;
    if (size < sizeof time)
        return -EINVAL;
    memcpy(&time, value, sizeof time);
    if (time.tv_usec < 0 || time.tv_usec >= 1000000)
        return -EDOM;
    if (time.tv_sec < 0)
        __selvedge_unsupported("a negative time limit of a socket");
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket) {
        struct timespec *limit = name == SO_RCVTIMEO ? &socket->read_limit : &socket->write_limit;
        *limit = (struct timespec){time.tv_sec, time.tv_usec * 1000};
    }
    leave_world();
    return error;
}

WEAK int setsockopt(int number, int level, int name, const void *value, socklen_t size)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    leave_world();
    if (!socket)
        return (int)outcome(error);
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
        return (int)outcome(set_limit(number, name, value, size));
    if (!is_harmless(level, name))
        __selvedge_unsupported("this option of setsockopt");
    if (size < sizeof(int))
        return (int)outcome(-EINVAL);
    int is_on = *(const int *)value != 0;
    if (level == SOL_SOCKET && (name == SO_REUSEADDR || name == SO_REUSEPORT)) {
        enter_world();
        socket->is_reused = is_on;
        leave_world();
    }
    return 0;
}

WEAK int getsockopt(int number, int level, int name, void *restrict value, socklen_t *restrict size)
{
    int error, answer = 0;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket && level == SOL_SOCKET) {
        switch (name) {
        case SO_ERROR: {
            /* What `read` would report is reported once. */
            struct channel *in = socket->in;
            answer = -take_error(socket);
            if (answer == 0 && in && in->is_reset && in->writers == 0) {
                answer = ECONNRESET;
                in->is_reset = 0;
            }
            break;
        }
        case SO_TYPE:
            answer = socket->type;
            break;
        case SO_DOMAIN:
            answer = socket->domain;
            break;
        case SO_ACCEPTCONN:
            answer = socket->state == LISTENS;
            break;
        default:
            __selvedge_unsupported("this option of getsockopt");
        }
    } else if (socket) {
        __selvedge_unsupported("this option of getsockopt");
    }
    leave_world();
    if (error == 0) {
        memcpy(value, &answer, *size < sizeof answer ? *size : sizeof answer);
        if (*size > sizeof answer)
            *size = sizeof answer;
    }
    return (int)outcome(error);
}
