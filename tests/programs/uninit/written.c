// Bytes that go into a file, a pipe or a connection are output: what was never written must not be among them.
//@ verdict: unsafe(uninit)
//@ flags: --check uninit --no-files
//@ rev pipe:
//@ rev file:
//@ clang[file]: -DTO_FILE
//@ rev socket:
//@ clang[socket]: -DTO_SOCKET
//@ rev whole:
//@ clang[whole]: -DWHOLE
//@ verdict[whole]: safe
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct pair {
    char tag;
    int value;
};

int main(void)
{
    struct pair pair;
#ifdef WHOLE
    memset(&pair, 0, sizeof pair);
#endif
    pair.tag = 'x';
    pair.value = 7;
    int ends[2];
#if defined(TO_FILE)
    FILE *file = fopen("out", "w");
    if (file)
        fwrite(&pair, sizeof pair, 1, file); //~ BUG! uninit
#elif defined(TO_SOCKET)
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
        send(ends[0], &pair, sizeof pair, 0); //~ BUG! uninit
#else
    if (pipe(ends) == 0)
        write(ends[1], &pair, sizeof pair); //~ BUG! uninit
#endif
    return 0;
}
