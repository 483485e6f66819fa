// A pointer that was never set, that is an input, or that was put together from bits, may point to anything: no analysis
// of where pointers come from knows its targets, and what is done through it must be interleaved all the same.
//@ rev unset: --reduce ag
//@ rev unset_field: --reduce ag
//@ clang[unset_field]: -DUNSET_FIELD
//@ rev input: --reduce ag
//@ clang[input]: -DINPUT
//@ rev bits: --reduce ag
//@ clang[bits]: -DBITS
//@ rev table: --reduce ag
//@ clang[table]: -DTABLE
//@ rev call: --reduce ag
//@ clang[call]: -DCALL
//@ rev freed: --reduce ag
//@ clang[freed]: -DFREED
//@ rev jobs: --reduce ag --jobs 2
//@ clang[jobs]: -DBITS
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int g, r;

static void set(void)
{
    g = 1;
}

/* The number without any of its bits being computed from it. */
static uint64_t again(uint64_t number)
{
    uint64_t made = 0;
    for (int i = 0; i < 64; i++)
        if (number >> i & 1)
            made |= 1ull << i;
    return made;
}

static void *writer(void *unused)
{
#if defined(BITS)
    union {
        uint64_t word;
        int *pointer;
    } made = {again((uintptr_t)&g)};
    *made.pointer = 1;
#elif defined(TABLE)
    static unsigned char table[256];
    for (int i = 0; i < 256; i++)
        table[i] = (unsigned char)i;
    uint64_t number = (uintptr_t)&g, made = 0;
    for (int i = 0; i < 8; i++)
        made |= (uint64_t)table[number >> 8 * i & 255] << 8 * i;
    *(int *)made = 1;
#elif defined(CALL)
    ((void (*)(void))again((uintptr_t)&set))();
#elif defined(INPUT)
    int *pointer = (int *)__VERIFIER_nondet_ulong();
    if (pointer == &g)
        *pointer = 1;
#elif defined(UNSET_FIELD)
    struct {
        int *pointer;
    } *box = malloc(sizeof *box);
    if (box->pointer == &g)
        *box->pointer = 1;
#elif defined(FREED)
    /* Two blocks from one place: which of them it is only the number knows. */
    int *block[2];
    for (int i = 0; i < 2; i++)
        block[i] = malloc(sizeof(int));
    *(int *)again((uintptr_t)block[1]) = 1;
    g = *block[1];
#else
    int *pointer;
    if (pointer == &g)
        *pointer = 1;
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    r = g;
    pthread_join(t, 0);
    assert(r == 0); //~ BUG!
    return 0;
}
