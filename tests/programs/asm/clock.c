// The counter of the processor can have any value; nothing is assumed about two readings of it.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <stdint.h>

static uint64_t now(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

int main(void)
{
    uint64_t before = now();
    assert(now() >= before);
    return 0;
}
