// Calling a weak symbol that nothing defines is a call through a null pointer.
//@ verdict: unsafe(memory)
extern void hook(void) __attribute__((weak));

int main(void)
{
    hook(); //~ BUG!
    return 0;
}
