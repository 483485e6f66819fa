// The address is checked, whatever is stored.
//@ verdict: unsafe(memory)
int main(void)
{
    int y;
    int *nowhere = 0;
    *nowhere = y; //~ BUG! memory
    return 0;
}
