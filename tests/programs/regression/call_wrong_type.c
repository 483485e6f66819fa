// A call through a pointer of another function type, with an argument of another kind.
//@ verdict: unsafe(memory)
static int half(double x) { return (int)(x / 2); }

int main(void)
{
    int (*f)(long) = (int (*)(long))half;
    return f(4); //~ BUG!
}
