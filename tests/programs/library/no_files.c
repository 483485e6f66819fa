// There are no files and no network besides the standard streams; functions say so as POSIX has it.
//@ verdict: safe
//@ flags: --no-files
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    const char *path = "/no/such/folder/file";
    struct stat information;
    assert(open(path, O_RDONLY) == -1 && errno == ENOENT);
    assert(stat(path, &information) == -1 && errno == ENOENT);
    assert(unlink(path) == -1 && access(path, F_OK) == -1 && !opendir(path));
    assert(close(123) == -1 && errno == EBADF);
    assert(lseek(123, 0, SEEK_SET) == -1 && fstat(123, &information) == -1);
    assert(fdopen(123, "r") == NULL && errno == EBADF);
    assert(isatty(123) == 0);
    char folder[4096];
    assert(getcwd(folder, sizeof folder) && folder[0] == '/');

    assert(connect(123, NULL, 0) == -1 && errno == EBADF);
    assert(htons(0x1234) == 0x3412 && ntohl(htonl(77)) == 77);
    assert(inet_addr("127.0.0.1") == htonl(0x7f000001) && inet_addr("1.2.x") == INADDR_NONE);
    assert(strcmp(inet_ntoa((struct in_addr){htonl(0xc0a80a05)}), "192.168.10.5") == 0);

    sigset_t set;
    sigfillset(&set);
    assert(sigismember(&set, SIGINT) == 1);
    sigdelset(&set, SIGINT);
    assert(sigismember(&set, SIGINT) == 0 && sigaddset(&set, 1000) == -1);
    return 0;
}
