// Each call is one step: two threads append to one file through descriptors of their own, and nothing is lost.
//@ verdict: safe
//@ flags: --check default,race
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *append(void *text)
{
    int fd = open("log", O_WRONLY | O_APPEND);
    assert(fd >= 3);
    assert(write(fd, text, 2) == 2);
    close(fd);
    return 0;
}

int main(void)
{
    close(open("log", O_CREAT | O_WRONLY | O_TRUNC, 0644));
    pthread_t t;
    pthread_create(&t, 0, append, "ab");
    append("cd");
    pthread_join(t, 0);
    char buf[8];
    int fd = open("log", O_RDONLY);
    assert(read(fd, buf, 8) == 4);
    assert(buf[0] == 'a' ? buf[1] == 'b' && buf[2] == 'c' : buf[0] == 'c' && buf[3] == 'b');
    return 0;
}
