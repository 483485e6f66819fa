// The amount is a constant: clang computes at once that it is out of range.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
//@ rev right:
//@ clang[right]: -w
//@ rev left:
//@ clang[left]: -w -DLEFT
//@ rev whole:
//@ clang[whole]: -w -DWHOLE
int main(void)
{
    int u = 1;
#if defined LEFT
    return u << 40; //~ BUG! overflow
#elif defined WHOLE
    return 1 << 40; //~ BUG! overflow
#else
    return u >> -1; //~ BUG! overflow
#endif
}
