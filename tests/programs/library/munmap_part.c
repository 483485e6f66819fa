// A part of a mapping that is unmapped is not modelled.
//@ verdict: unknown
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void)
{
    char *bytes = mmap(0, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(bytes, 4096);
    bytes[4096] = 1;
    return 0;
}
