// Seeded bug: the allocator empties a cache into the depot of its class without taking the depot's lock.
// Verdict: unsafe (assert): two threads at once lose a block.
#define DRAIN_WITHOUT_LOCK
#include "../allocator.c"
#include "../driver_alloc.c"
