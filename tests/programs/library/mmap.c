// Anonymous mappings: zeros, on page boundaries, as large as whole pages; no leaks.
//@ verdict: safe
//@ flags: --check default,leak
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    assert(page == (size_t)getpagesize());

    unsigned char *small = mmap(0, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(small != MAP_FAILED && (uintptr_t)small % page == 0);
    assert(small[0] == 0 && small[page - 1] == 0);
    small[page - 1] = 7;
    assert(madvise(small, page, MADV_WILLNEED) == 0);
    assert(small[page - 1] == 7);
    assert(munmap(small, 10) == 0);

    char *large = mmap(0, 256u << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(large[(256u << 20) - 1] == 0);
    large[12345] = 1;
    assert(large[12345] == 1 && large[12346] == 0);

    assert(mmap(0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
    errno = 0;
    assert(munmap(large + 1, page) == -1 && errno == EINVAL);
    return 0;
}
