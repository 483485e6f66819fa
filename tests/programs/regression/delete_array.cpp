// Blocks of new[] must be released by delete[].
//@ verdict: unsafe(memory)
int main()
{
    int *p = new int[4];
    int *q = new int(3);
    delete q;
    delete p; //~ BUG!
    return 0;
}
