// memcpy between places that overlap is undefined.
//@ verdict: unsafe(memory)
#include <string.h>

int main(void)
{
    char text[8] = "abcdefg";
    memcpy(text + 1, text, 4); //~ BUG!
    return text[0];
}
