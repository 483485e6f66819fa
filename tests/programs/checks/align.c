// An access by a pointer that does not suit its type.
//@ verdict: unsafe(align)
//@ flags: --check default,align
int main(void)
{
    char bytes[8] = {0};
    int *p = (int *)(bytes + 1);
    return *p; //~ BUG! align
}
