// Waiting for a flag in a structure that is copied as a whole needs no bound.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

struct message {
    long payload[2];
    long is_ready;
};

static struct message shared;

static void *send(void *unused)
{
    shared.payload[0] = 7;
    shared.is_ready = 1;
    return unused;
}

static void *receive(void *unused)
{
    struct message seen;
    do
        seen = shared;
    while (!seen.is_ready);
    seen = shared;
    assert(seen.payload[0] == 7);
    return unused;
}

int main(void)
{
    run_pair(send, receive);
    return 0;
}
