// Writing a member of a structure at null: the address is small but not zero.
//@ verdict: unsafe(memory)
#include <stddef.h>

struct record {
    char name[32];
    int size;
};

static struct record *current;

int main(void)
{
    current->size = 1; //~ BUG!
    return 0;
}
