// The last character behind a pointer to char is zero.
//@ verdict: safe
//@ assumes: outside.overlap outside.sizes outside.texts-end
#include <string.h>
#include <selvedge.h>

int main(void)
{
    const char *text;
    selvedge_outside(&text, sizeof text, "text");
    selvedge_assume(text != 0);
    selvedge_assert(strlen(text) <= 3);
    return 0;
}
