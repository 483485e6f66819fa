// A modelled function that is called with too few arguments, which its declaration allows.
//@ verdict: unsafe(memory)
int puts();

int main(void)
{
    puts(); //~ BUG! memory
    return 0;
}
