// Marks in low bits, pointers in integers, and pointers that are copied byte by byte are still derived from pointers: what
// does not matter (`noise`) is left out, and what does matter is found.
//@ rev marks: --reduce ag --all-bugs
//@ rev bytes: --reduce ag --all-bugs
//@ clang[bytes]: -DBYTES
//@ rev xor: --reduce ag --all-bugs
//@ clang[xor]: -DXOR
//@ verdict: unsafe(assert)
//@ executions: total=2 full=1 failed=1
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct node {
    int value, noise;
};

static struct node node;
static uintptr_t link;
static int noise, seen;

static struct node *follow(void)
{
#if defined(BYTES)
    struct node *copy;
    for (unsigned i = 0; i < sizeof copy; i++)
        ((unsigned char *)&copy)[i] = ((unsigned char *)&link)[i];
    return copy;
#elif defined(XOR)
    return (struct node *)(link ^ 0x5555);
#else
    return (struct node *)(link & ~(uintptr_t)1);
#endif
}

static void *writer(void *unused)
{
    struct node *to = follow();
    for (int i = 0; i < 4; i++) {
        noise++;
        to->noise++;
    }
    to->value = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
#if defined(XOR)
    link = (uintptr_t)&node ^ 0x5555;
#elif defined(BYTES)
    link = (uintptr_t)&node;
#else
    link = (uintptr_t)&node | 1;
#endif
    pthread_create(&t, 0, writer, 0);
    for (int i = 0; i < 4; i++)
        noise++;
    seen = node.value;
    pthread_join(t, 0);
    assert(seen == 0); //~ BUG!
    return 0;
}
