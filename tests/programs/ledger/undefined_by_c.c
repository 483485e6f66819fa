// What C leaves undefined and the C library here does in one way is named: a null text that is printed, locals after
// longjmp, functions that handlers must not call, failures beyond the bound that was given.
//@ rev null:
//@ rev jump:
//@ rev handler:
//@ rev bound: --fail memory --fail-at-most 1
//@ clang[null]: -DNULL_TEXT
//@ clang[jump]: -DJUMP
//@ clang[handler]: -DHANDLER
//@ verdict: safe
//@ assumes[null]: library.print-null
//@ assumes[jump]: memory.setjmp-locals
//@ assumes[handler]: library.in-handlers world.signals-bound
//@ assumes[bound]: world.failures-bound
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;

static void prints(int signal) { printf("%d\n", signal); }

int main(void)
{
#if defined NULL_TEXT
    char *nothing = NULL;
    printf("%s!\n", nothing);
#elif defined JUMP
    int n = 0;
    if (setjmp(back) == 0) {
        n = 5;
        longjmp(back, 1);
    }
    assert(n == 5);
#elif defined HANDLER
    signal(SIGUSR1, prints);
    puts("working");
#else
    char *a = malloc(4), *b = malloc(4);
    assert(a || b);
    free(a);
    free(b);
#endif
    (void)prints;
    (void)back;
    return 0;
}
