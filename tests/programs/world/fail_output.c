// Output on the console may fail like any other, where the program can see it: by a result, by ferror, by fflush.
//@ verdict: safe
//@ rev plain:
//@ assumes[plain]: world.io-succeeds
//@ rev ignored: --fail io
//@ clang[ignored]: -DIGNORED
//@ executions[ignored]: total=1
//@ assumes[ignored]: nothing
//@ rev result: --fail io
//@ clang[result]: -DRESULT
//@ verdict[result]: unsafe(assert)
//@ rev mark: --fail io
//@ clang[mark]: -DMARK
//@ verdict[mark]: unsafe(assert)
//@ rev flush: --fail io
//@ clang[flush]: -DFLUSH
//@ verdict[flush]: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <stdio.h>

int main(void)
{
#if defined(IGNORED)
    printf("%d\n", 1);
    puts("2");
    fflush(stdout);
#elif defined(MARK)
    puts("1");
    printf("%d\n", 2);
    assert(!ferror(stdout));
#elif defined(FLUSH)
    puts("1");
    assert(fflush(stdout) == 0);
#else
    int n = printf("%d\n", 1);
    assert(n == 2 || (n < 0 && (errno == ENOSPC || errno == EIO)));
#ifdef RESULT
    assert(fputs("2\n", stderr) >= 0);
#endif
#endif
    return 0;
}
