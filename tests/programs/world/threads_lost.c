// Without O_APPEND two threads may write over each other.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void *add(void *text)
{
    int fd = open("log", O_WRONLY);
    lseek(fd, 0, SEEK_END);
    write(fd, text, 1);
    close(fd);
    return 0;
}

int main(void)
{
    close(open("log", O_CREAT | O_WRONLY | O_TRUNC, 0644));
    pthread_t t;
    pthread_create(&t, 0, add, "a");
    add("b");
    pthread_join(t, 0);
    char buf[8];
    assert(read(open("log", O_RDONLY), buf, 8) == 2); //~ BUG! assert
    return 0;
}
