// Parameters that nobody looks at cost nothing and are assumed nothing about.
//@ verdict: safe
//@ flags: --strict
//@ executions: total=1
int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
