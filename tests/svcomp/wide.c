// Fits into a long of 64 bits only.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long x = __VERIFIER_nondet_int();
    return x * 2 > 100;
}
