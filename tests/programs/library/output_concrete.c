// What the program prints on its only path.
//@ verdict: safe
//@ stdout: total=5050 ff |   x|
#include <stdio.h>

int main(void)
{
    int total = 0;
    for (int i = 1; i <= 100; i++)
        total += i;
    printf("total=%d %x |%4s|\n", total, 255, "x");
    return 0;
}
