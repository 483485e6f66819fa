// By default it is what the language says it is, also where all is checked.
//@ verdict: safe
//@ flags: --check all
int main(void)
{
    unsigned zero = 0;
    return zero - 1 > 7 ? 0 : 1;
}
