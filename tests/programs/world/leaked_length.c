// The size of a file, taken for the number of bytes that fit.
//@ verdict: unsafe(memory)
#include <stdio.h>

int main(void)
{
    char buf[12];
    FILE *f = fopen("data.bin", "rb");
    if (!f)
        return 1;
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    return (int)fread(buf, 1, (size_t)size, f); //~ BUG! memory
}
