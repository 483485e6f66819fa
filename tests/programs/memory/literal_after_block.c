// A compound literal lives as long as the block it stands in.
//@ verdict: unsafe(memory)
int main(void)
{
    int *p;
    {
        p = (int[]){1, 2};
    }
    return *p - 1; //~ BUG! memory
}
