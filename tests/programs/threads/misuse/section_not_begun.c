// An atomic section ends that was not begun.
//@ verdict: unsafe(deadlock)
void __VERIFIER_atomic_end(void);

int main(void)
{
    __VERIFIER_atomic_end(); //~ BUG!
    return 0;
}
