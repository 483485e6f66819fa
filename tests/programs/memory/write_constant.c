// Writing to a string literal.
//@ verdict: unsafe(memory)

int main(void)
{
    char *s = "constant";
    s[0] = 'C'; //~ BUG!
    return 0;
}
