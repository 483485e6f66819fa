// A mapping that grows keeps what is in it and is zero behind that; the old one is gone if it has moved.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>

int main(void)
{
    char *block = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(block != MAP_FAILED);
    block[8191] = 7;
    block = mremap(block, 8192, 20000, MREMAP_MAYMOVE);
    assert(block != MAP_FAILED && block[8191] == 7 && block[19999] == 0);
    block = mremap(block, 20000, 4096, MREMAP_MAYMOVE);
    assert(block != MAP_FAILED && block[4095] == 0);
    munmap(block, 4096);
    return 0;
}
