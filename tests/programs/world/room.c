// A call may write all the bytes that it asks for, whether they come or not.
//@ verdict: unsafe(memory)
//@ rev pread:
//@ clang[pread]: -DPREAD
//@ rev readv:
//@ clang[readv]: -DREADV
//@ rev recv:
//@ clang[recv]: -DRECV
//@ rev recvmsg:
//@ clang[recvmsg]: -DRECVMSG
//@ rev fread:
//@ clang[fread]: -DFREAD
//@ rev fgets:
//@ clang[fgets]: -DFGETS
//@ rev getline:
//@ clang[getline]: -DGETLINE
//@ rev scanf:
//@ clang[scanf]: -DSCANF
//@ rev getcwd:
//@ clang[getcwd]: -DGETCWD
//@ rev symbolic:
//@ clang[symbolic]: -DANY_COUNT
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../inputs.h"

static void ask(char *small, size_t size, size_t asked)
{
#if defined PREAD
    int file = open("data", O_RDONLY);
    if (file >= 0)
        pread(file, small, asked, 0);
#elif defined READV
    struct iovec parts[2] = {{small, size}, {small, asked}};
    readv(0, parts, 2);
#elif defined RECV
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    write(ends[1], "a", 1);
    recv(ends[0], small, asked, 0);
#elif defined RECVMSG
    int ends[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    write(ends[1], "a", 1);
    struct iovec part = {small, asked};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    recvmsg(ends[0], &message, 0);
#elif defined FREAD
    fread(small, 5, asked / 5, stdin);
#elif defined FGETS
    fgets(small, (int)asked, stdin);
#elif defined GETLINE
    char *line = malloc(size);
    getline(&line, &asked, stdin);
    free(line);
#elif defined SCANF
    scanf("%20s", small);
#elif defined GETCWD
    getcwd(small, asked);
#elif defined ANY_COUNT
    size_t n = nondet_uint();
    if (n <= size + 1)
        read(0, small, n);
#else
    read(0, small, asked);
#endif
}

int main(void)
{
    char small[20];
    ask(small, sizeof small, 100);
    return 0;
}
