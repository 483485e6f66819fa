// Seeded bug: reclamation by epochs that releases a node one epoch too early.
// Verdict: unsafe (memory): a node is filed under the epoch e in which its remover entered, and released in e + 2. The epoch
// may have been e + 1 when the node was unlinked; a reader that entered then may still hold it in e + 2.
// This library had the mistake itself, until a run with more than two deletions was checked; see reclaim/epoch.c.
#define RECLAIM 1
#define N_EPOCHS 3
#define BAG_LIMIT 1
#include "../list.c"
#include "../reclaim.c"
#include <pthread.h>

static List *list;

/* An operation that retires something, so that the epoch may advance. */
static void turn_over(int thread)
{
    reclaim_begin(thread);
    reclaim_retire(thread, obtain(1));
    reclaim_end(thread);
}

static void *look(void *unused)
{
    Word value;
    if (list_find(list, 0, 1, &value))
        assert(value == 10);
    return unused;
}

static void *remove_one(void *unused)
{
    list_remove(list, 1, 1, NULL);
    turn_over(1);
    reclaim_begin(1);
    reclaim_end(1);
    return unused;
}

static void *disturb(void *unused)
{
    turn_over(2);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    list = list_new();
    list_insert(list, 0, 1, 10);
    pthread_create(&threads[0], 0, look, 0);
    pthread_create(&threads[1], 0, remove_one, 0);
    pthread_create(&threads[2], 0, disturb, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(list_is_sound(list) && list_count(list) == 0);
    list_free(list);
    reclaim_all();
    return 0;
}
