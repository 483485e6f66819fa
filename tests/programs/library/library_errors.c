// What a function of the library must refuse, it refuses, and says why in errno: numbers outside a domain or a range,
// sizes and alignments that cannot be, unknown names.
//@ verdict: safe
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

extern double __VERIFIER_nondet_double(void);

int main(void)
{
    errno = 0;
    assert(isnan(sqrt(-1.0)) && errno == EDOM);
    errno = 0;
    assert(isinf(log(0.0)) && errno == ERANGE);
    errno = 0;
    assert(isinf(exp(1000.0)) && errno == ERANGE);
    errno = 0;
    assert(sqrt(4.0) == 2 && errno == 0);

    /* Whether a number that is not known is in the domain decides. */
    double x = __VERIFIER_nondet_double();
    errno = 0;
    sqrt(x);
    assert((errno == EDOM) == (x < 0));

    volatile size_t huge = PTRDIFF_MAX;
    errno = 0;
    assert(!malloc(huge) && errno == ENOMEM);
    errno = 0;
    assert(!calloc(huge, 16) && errno == ENOMEM);
    errno = 0;
    assert(!reallocarray(NULL, huge, 4) && errno == ENOMEM);
    void *p;
    assert(posix_memalign(&p, 3, 8) == EINVAL);
    volatile size_t odd = 24;
    errno = 0;
    assert(!aligned_alloc(odd, 48) && errno == EINVAL);

    errno = 0;
    assert(sysconf(-1) == -1 && errno == EINVAL);
    errno = 0;
    assert(confstr(-1, NULL, 0) == 0 && errno == EINVAL);
    errno = 0;
    assert(getpriority(99, 0) == -1 && errno == EINVAL);
    errno = 0;
    assert(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED && errno == EBADF);
    errno = 0;
    assert(mprotect((char *)4097, 4096, PROT_READ) == -1 && errno == EINVAL);
    errno = 0;
    assert(inet_pton(-1, "1.2.3.4", &p) == -1 && errno == EAFNOSUPPORT);
    return 0;
}
