// No other value of a _Bool has a meaning.
//@ verdict: safe
#include <selvedge.h>

struct option { char name; _Bool is_set; };

int main(void)
{
    struct option o;
    selvedge_outside(&o, sizeof o, "o");
    unsigned char byte = *(unsigned char *)&o.is_set;
    selvedge_assert(byte <= 1 && o.is_set == (byte == 1));
    return 0;
}
