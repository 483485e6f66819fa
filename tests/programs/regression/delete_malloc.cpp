// Blocks of malloc must be released by free.
//@ verdict: unsafe(memory)
#include <stdlib.h>

int main()
{
    int *p = static_cast<int *>(malloc(4));
    int *q = new int[3];
    delete[] q;
    delete p; //~ BUG!
    return 0;
}
