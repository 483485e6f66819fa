// One read of standard input may give less than is there.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <unistd.h>

int main(void)
{
    char buf[4];
    ssize_t n = read(0, buf, 4);
    assert(n >= 0 && n <= 4);
    if (n > 0 && n < 4)
        assert(read(0, buf, 4) == 0); //~ BUG! assert
    return 0;
}
