// A call that prints is asked once whether it fails, however many questions its text takes.
//@ verdict: safe
//@ flags: --fail io
//@ executions: total=18
#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    int n = printf("[%s]\n", argv[1]);
    if (n < 0)
        return 1;
    assert(n >= 3);
    int again = printf("%s\n", argv[1]);
    assert(again < 0 || again == n - 2);
    return 0;
}
