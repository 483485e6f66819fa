// O_NONBLOCK: nothing there, and no room.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char page[4096];

int main(void)
{
    int ends[2];
    char c;
    assert(pipe2(ends, O_NONBLOCK) == 0);
    assert(read(ends[0], &c, 1) == -1 && errno == EAGAIN);
    assert(write(ends[1], page, 4000) == 4000);
    assert(write(ends[1], page, 97) == -1 && errno == EAGAIN);
    assert(write(ends[1], page, 96) == 96);
    assert(read(ends[0], page, sizeof page) == 4096);
    assert(lseek(ends[0], 0, SEEK_CUR) == -1 && errno == ESPIPE);
    assert(fcntl(ends[0], F_GETFL) == (O_RDONLY | O_NONBLOCK));
    struct stat facts;
    assert(fstat(ends[0], &facts) == 0 && S_ISFIFO(facts.st_mode));
    close(ends[1]);
    assert(read(ends[0], &c, 1) == 0);
    return 0;
}
