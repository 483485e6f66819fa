// Some number that rand may give breaks the program, though a test with one seed may never see it.
//@ verdict: unsafe(div)
#include <stdlib.h>

int main(void)
{
    srand(1);
    return 100 / (rand() % 1000); //~ BUG!
}
