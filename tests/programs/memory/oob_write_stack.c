// Writing one element behind an array on the stack, into a neighbour in the same frame.
//@ verdict: unsafe(memory)
#include "../inputs.h"

int main(void)
{
    int a[4], neighbour = 5;
    for (int i = 0; i <= 4; i++)
        a[i] = i; //~ BUG!
    return neighbour + a[0];
}
