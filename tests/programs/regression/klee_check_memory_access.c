// klee_check_memory_access checks the range as an access would.
//@ verdict: unsafe(memory)
#include <stddef.h>
#include <stdlib.h>

void klee_check_memory_access(const void *address, size_t size);

int main(void)
{
    char *p = malloc(8);
    klee_check_memory_access(p, 8);
    klee_check_memory_access(p + 8, 0);
    klee_check_memory_access(p + 4, 5); //~ BUG!
    free(p);
    return 0;
}
