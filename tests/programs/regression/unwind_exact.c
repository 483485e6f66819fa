// Loops of exactly as many iterations as allowed are complete.
//@ verdict: safe
//@ flags: --unwind 3
int main(void)
{
    int a = 0, b = 0;
    for (int i = 0; i < 3; i++)
        a++;
    do
        b++;
    while (b < 3);
    return a != b;
}
