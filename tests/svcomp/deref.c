// Reads one element too far.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int *p = calloc(4, sizeof *p);
    unsigned char i = __VERIFIER_nondet_uchar();
    int x = i <= 4 ? p[i] : 0;
    free(p);
    return x;
}
