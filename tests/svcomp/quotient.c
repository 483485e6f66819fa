// INT_MIN / -1 is an overflow, a division by zero is none.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 0)
        return 0;
    return (-2147483647 - 1) / x;
}
