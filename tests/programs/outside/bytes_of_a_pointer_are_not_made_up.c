// The bytes of a pointer that was not looked at are not those of what stands for it.
//@ verdict: unknown
//@ reason: parts of the bytes of a pointer from outside
#include <string.h>
#include <selvedge.h>

int main(void)
{
    char *p;
    selvedge_outside(&p, sizeof p, "p");
    unsigned char first;
    memcpy(&first, &p, 1);
    selvedge_assert(first == 0);
    return 0;
}
