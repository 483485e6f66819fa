// The amount of a shift is checked as wide as it is, not as wide as what is shifted.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
//@ rev right:
//@ rev left:
//@ clang[left]: -DLEFT
int main(void)
{
    int u = 1;
    long long n = 1LL << 32;
#ifdef LEFT
    return (unsigned)u << n; //~ BUG! overflow
#else
    return u >> n; //~ BUG! overflow
#endif
}
