// A weak reference to a function that the library has is not null.
//@ verdict: safe
#include <assert.h>
#include <stddef.h>

void *malloc(size_t size) __attribute__((weak));
size_t strlen(const char *s) __attribute__((weak));
void free(void *p);

int main(void)
{
    assert(malloc && strlen);
    free(malloc(strlen("abc")));
    return 0;
}
