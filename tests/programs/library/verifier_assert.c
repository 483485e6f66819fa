// The message of an assertion is part of the report.
//@ verdict: unsafe(assert)
int main(void)
{
    int x = nondet_int();
    __CPROVER_assert(x != 4, "four is not allowed"); //~ BUG!
    return 0;
}
