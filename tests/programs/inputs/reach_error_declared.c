// reach_error is only declared: the call is the error.
//@ verdict: unsafe(assert)
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x & 7;
    if (y * y == 49)
        reach_error(); //~ BUG!
    return 0;
}
