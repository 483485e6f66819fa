// The queue lock of Mellor-Crummey and Scott: each thread spins on its own node. The broken one says that it waits only
// after its predecessor can see it, and may overwrite the hand-over: it then waits for ever.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(livelock)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define THREADS 2
#elif !defined THREADS
#define THREADS 3
#endif

struct node {
    struct node *_Atomic next;
    atomic_int waits;
};

static struct node *_Atomic tail;
static int counter;

static void lock(struct node *mine)
{
    mine->next = NULL;
    mine->waits = 1;
    struct node *before = atomic_exchange(&tail, mine);
    if (before == NULL)
        return;
    before->next = mine;
#ifdef BROKEN
    mine->waits = 1;
#endif
    while (mine->waits) {
    }
}

static void unlock(struct node *mine)
{
    if (mine->next == NULL) {
        struct node *last = mine;
        if (atomic_compare_exchange_strong(&tail, &last, NULL))
            return;
        while (mine->next == NULL) {
        }
    }
    mine->next->waits = 0;
}

static struct node nodes[THREADS];

static void *increment(void *argument)
{
    struct node *mine = &nodes[number(argument)];
    lock(mine);
    counter++;
    unlock(mine);
    return 0;
}

int main(void)
{
    run_team(THREADS, increment);
    assert(counter == THREADS);
    return 0;
}
