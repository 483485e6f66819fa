// A ring buffer whose index wraps one step too late.
//
//   selvedge check examples/ring_buffer.c
//
// No single operation is wrong: it takes pushes and pops in the right order until `tail` stands behind the last
// slot. Selvedge chooses the operations and shows the shortest way there that it meets.

#include <assert.h>
#include <stdbool.h>

#define SLOTS 3

extern bool __VERIFIER_nondet_bool(void);

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
        if (__VERIFIER_nondet_bool()) {
            next_in += push(&ring, next_in);
        } else {
            int value;
            if (pop(&ring, &value))
                assert(value == next_out++); // first in, first out
        }
    }
    return 0;
}
