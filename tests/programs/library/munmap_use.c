// What is unmapped cannot be read any more.
//@ verdict: unsafe(memory)
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void)
{
    char *bytes = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bytes[0] = 1;
    munmap(bytes, 4096);
    return bytes[0]; //~ BUG!
}
