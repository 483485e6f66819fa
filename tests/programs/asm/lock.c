// A lock of one bit, taken by a locked test-and-set; released by a plain move.
//@ verdict: safe
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <assert.h>
#include <pthread.h>

static unsigned word;
static int shared, inside;

static int take(void)
{
    unsigned char was_set;
#ifdef WRONG
    __asm__ volatile("btsl $3, %1; setc %0" : "=q"(was_set), "+m"(word) : : "memory", "cc");
#else
    __asm__ volatile("lock; btsl $3, %1; setc %0" : "=q"(was_set), "+m"(word) : : "memory", "cc");
#endif
    return !was_set;
}

static void *work(void *unused)
{
#ifdef WRONG
    if (!take())
        return unused;
#else
    while (!take())
        __asm__ volatile("rep; nop" : : : "memory");
#endif
    assert(++inside == 1);
    shared++;
    inside--;
    __asm__ volatile("movl $0, %0" : "=m"(word) : : "memory");
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
#ifndef WRONG
    assert(shared == 2);
#endif
    return 0;
}
