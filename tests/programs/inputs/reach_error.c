// An SV-COMP task with its usual preamble.
//@ verdict: unsafe(assert)
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error()
{
    __assert_fail("0", "reach_error.c", 3, "reach_error"); //~ BUG!
}

extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int cond)
{
    if (!(cond)) {
    ERROR: {
        reach_error(); //~ BUG!
        abort();
    }
    }
    return;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (!(n >= 0 && n <= 5))
        return 0;
    int sum = 0;
    for (int i = 1; i <= n; i++)
        sum += i;
    __VERIFIER_assert(sum != 15); //~ BUG!
    return 0;
}
