// A ring buffer whose index wraps one step too late.
//
//   selvedge check examples/ring_buffer.c
//
// No single operation looks wrong, and no access leaves the struct: one slot too far lies `head`, which then points
// to the wrong number. It takes the right pushes and pops for the assertion to notice; Selvedge chooses them.

#include <assert.h>
#include <selvedge.h> // comes with the tool; declares selvedge_bool and its relatives

#define SLOTS 3

struct ring {
    int slot[SLOTS];
    unsigned head, tail, used;
};

static bool push(struct ring *ring, int value)
{
    if (ring->used == SLOTS)
        return false;
    ring->slot[ring->tail] = value;
    if (++ring->tail > SLOTS) // the mistake: must be `==`
        ring->tail = 0;
    ring->used++;
    return true;
}

static bool pop(struct ring *ring, int *value)
{
    if (ring->used == 0)
        return false;
    *value = ring->slot[ring->head];
    if (++ring->head == SLOTS)
        ring->head = 0;
    ring->used--;
    return true;
}

int main(void)
{
    struct ring ring = {0};
    int next_in = 0, next_out = 0;

    for (int step = 0; step < 6; step++) {
        bool do_push = selvedge_bool("do_push");
        if (do_push) {
            next_in += push(&ring, next_in);
        } else {
            int value;
            if (pop(&ring, &value))
                assert(value == next_out++); // first in, first out
        }
    }
    return 0;
}
