// A program that looks at its arguments is safe for those within the bound only, and says so.
//@ verdict: safe
//@ executions: total=3
//@ rev strict: --strict
//@ verdict[strict]: unknown
//@ reason[strict]: at most 2 arguments
int main(int argc, char **argv)
{
    (void)argv;
    switch (argc) {
    case 1:
        return 1;
    case 2:
        return 2;
    case 3:
        return 3;
    }
    return *(volatile int *)0; // never
}
