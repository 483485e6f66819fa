/* Changing the value of a key that is there: replace, compare and swap, add, and any change that is a function.
 *
 * A value changes by compare-and-swap only, and never from GONE, so a change either comes before the removal of the key, which
 * then takes the new value away, or it finds that the key is not there. */
#include "internal.h"

/* The node of a key, protected; null if it is not there. It may be GONE. */
static ListNode *node_with(List *list, int thread, Word key)
{
    Place place;
    return list_seek(list, thread, (Bound){AT_KEY, key}, NULL, &place) ? place.node : NULL;
}

bool list_replace(List *list, int thread, Word key, Word value, Word *old)
{
    Word was = GONE;
    assert(value != GONE);
    reclaim_begin(thread);
    ListNode *node = node_with(list, thread, key);
    if (node) {
        was = atomic_load(&node->value);
        while (was != GONE && !atomic_compare_exchange_strong(&node->value, &was, value))
            ;
    }
    reclaim_end(thread);
    if (was == GONE)
        return false;
    list_note(list, thread, REPLACED);
    if (old)
        *old = was;
    return true;
}

Outcome list_swap(List *list, int thread, Word key, Word from, Word to)
{
    Word was = GONE;
    bool is_changed = false;
    assert(from != GONE && to != GONE);
    reclaim_begin(thread);
    ListNode *node = node_with(list, thread, key);
    if (node) {
        was = from;
        is_changed = atomic_compare_exchange_strong(&node->value, &was, to);
    }
    reclaim_end(thread);
    if (is_changed)
        list_note(list, thread, REPLACED);
    return is_changed ? CHANGED : was == GONE ? MISSING : DIFFERENT;
}

/* Changes the value of a node for as long as it is alive; GONE if it is not. */
static Word change_value(ListNode *node, Change *change, void *context, Word *was)
{
    *was = atomic_load(&node->value);
    while (*was != GONE) {
        Word result = change(*was, context);
        if (atomic_compare_exchange_strong(&node->value, was, result))
            return result;
    }
    return GONE;
}

bool list_update(List *list, int thread, Word key, Change *change, void *context, Word *result)
{
    Place place;
    Word was = GONE, now = GONE;
    reclaim_begin(thread);
    if (list_seek(list, thread, (Bound){AT_KEY, key}, NULL, &place)) {
        ListNode *node = place.node;
        now = change_value(node, change, context, &was);
        /* Ours to unlink if it was alive before. */
        if (was != GONE && now == GONE)
            list_unlink(list, thread, key, node, &place);
    }
    reclaim_end(thread);
    if (was == GONE)
        return false;
    list_note(list, thread, now == GONE ? REMOVED : REPLACED);
    if (result)
        *result = now;
    return true;
}

static Word plus(Word value, void *amount)
{
    return value + *(Word *)amount;
}

Word list_add(List *list, int thread, Word key, Word amount)
{
    Word result;
    /* If the key comes and goes in between, both may fail; then the other one was faster. */
    while (!list_update(list, thread, key, plus, &amount, &result))
        if (list_insert(list, thread, key, amount))
            return amount;
    return result;
}
