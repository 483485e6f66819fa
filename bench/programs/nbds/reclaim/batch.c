/* Bags of retired nodes, made of batches.
 *
 * A bag belongs to one thread and needs no atomic access. The newest batch comes first, so that putting a node in looks at
 * one batch only. */
#include "internal.h"

static Batch *batch_new(Batch *next)
{
    Batch *batch = obtain(sizeof *batch);
    batch->next = next;
    batch->n_retired = 0;
    return batch;
}

void bag_put(Bag *bag, Retired retired)
{
    if (!bag->first || bag->first->n_retired == BATCH_SIZE)
        bag->first = batch_new(bag->first);
    Batch *batch = bag->first;
    batch->retired[batch->n_retired++] = retired;
    bag->n_waiting++;
}

static void release(const Retired *retired)
{
    if (retired->release)
        retired->release(retired->node, retired->context);
    else
        free(retired->node);
}

int bag_release(Bag *bag)
{
    int n_released = 0;
    while (bag->first) {
        Batch *batch = bag->first;
        bag->first = batch->next;
        for (int i = 0; i < batch->n_retired; i++)
            release(&batch->retired[i]);
        n_released += batch->n_retired;
        free(batch);
    }
    bag->n_waiting = 0;
    return n_released;
}

/* Full batches are moved as they are; those that are not are emptied node by node, so that only the first one may have room. */
void bag_move(Bag *from, Bag *to)
{
    while (from->first) {
        Batch *batch = from->first;
        from->first = batch->next;
        if (batch->n_retired == BATCH_SIZE && to->first) {
            batch->next = to->first->next;
            to->first->next = batch;
            to->n_waiting += BATCH_SIZE;
            continue;
        }
        for (int i = 0; i < batch->n_retired; i++)
            bag_put(to, batch->retired[i]);
        free(batch);
    }
    from->n_waiting = 0;
}

/* Only hazard pointers tell one node from another; the other schemes release bags as a whole. */
int bag_release_some(Bag *bag, bool (*may_go)(const void *node, const void *context), const void *context)
{
    Bag kept = {NULL, 0};
    int n_released = 0;
    while (bag->first) {
        Batch *batch = bag->first;
        bag->first = batch->next;
        for (int i = 0; i < batch->n_retired; i++) {
            if (may_go(batch->retired[i].node, context)) {
                release(&batch->retired[i]);
                n_released++;
            } else {
                bag_put(&kept, batch->retired[i]);
            }
        }
        free(batch);
    }
    *bag = kept;
    return n_released;
}
