// An SV-COMP task whose error is not reachable.
//@ verdict: safe
extern void abort(void);
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    __VERIFIER_assume(n <= 10);
    unsigned int sum = 0;
    for (unsigned int i = 0; i < n; i++)
        sum += 2 * i + 1;
    if (sum != n * n)
        reach_error();
    return 0;
}
