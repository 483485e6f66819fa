// A stack of nodes with compare-exchange, exchange and fetch-and-add in inline assembly: pointers stay pointers.
//@ verdict: safe
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <assert.h>
#include <pthread.h>

struct node {
    struct node *next;
    int value;
};

static struct node *top;
static int sum;

static int compare_and_set(struct node **place, struct node *old, struct node *new)
{
#ifdef WRONG
    unsigned char done = *place == old;
    if (done)
        *place = new;
#else
    unsigned char done;
    __asm__ volatile("lock\n\tcmpxchgq %3, %1\n\tsete %0"
                     : "=q"(done), "+m"(*place), "+a"(old)
                     : "r"(new)
                     : "memory", "cc");
#endif
    return done;
}

static int add(int *place, int value)
{
    __asm__ volatile("lock; xaddl %0, (%1)" : "+r"(value) : "r"(place) : "memory", "cc");
    return value;
}

static void *push(void *node)
{
    struct node *mine = node;
    do {
        mine->next = __atomic_load_n(&top, __ATOMIC_SEQ_CST);
        __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
    } while (!compare_and_set(&top, mine->next, mine));
    add(&sum, mine->value);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    struct node nodes[2] = {{0, 1}, {0, 2}};
    pthread_create(&first, 0, push, &nodes[0]);
    pthread_create(&second, 0, push, &nodes[1]);
    pthread_join(first, 0);
    pthread_join(second, 0);
    struct node *all = 0;
    __asm__ volatile("xchgq %0, %1" : "=r"(all), "=m"(top) : "0"(all), "m"(top) : "memory");
    assert(all && all->next && !all->next->next && !top);
    assert(all->value + all->next->value == 3 && sum == 3);
    return 0;
}
