// Seeded bug: the list announces a node by a hazard pointer, but does not look again whether the node is still linked.
// Verdict: unsafe (memory): the node is released between the read of the link and the announcement.
#define WITHOUT_SECOND_LOOK
#define RECLAIM 2
#include "../list.c"
#include "../reclaim.c"
#include <pthread.h>

static List *list;

static void *remove_and_release(void *unused)
{
    assert(list_remove(list, 0, 1, NULL));
    reclaim_flush(0);
    return unused;
}

static void *look(void *unused)
{
    Word value;
    if (list_find(list, 1, 1, &value))
        assert(value == 10);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    list = list_new();
    list_insert(list, 0, 1, 10);
    pthread_create(&threads[0], 0, remove_and_release, 0);
    pthread_create(&threads[1], 0, look, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(list_is_sound(list) && list_count(list) == 0);
    list_free(list);
    reclaim_all();
    return 0;
}
