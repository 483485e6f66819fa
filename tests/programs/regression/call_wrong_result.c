// A result used as a number of another kind.
//@ verdict: unsafe(memory)
static double half(int x) { return x / 2.0; }

int main(void)
{
    int (*f)(int) = (int (*)(int))half;
    return f(4); //~ BUG!
}
