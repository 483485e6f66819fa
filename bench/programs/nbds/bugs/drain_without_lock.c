// Seeded bug: the allocator empties the cache of a thread that ends into the bin of a class without taking the bin's lock.
// Verdict: unsafe (assert): two threads at once lose a block.
#define GIVE_WITHOUT_LOCK
#include "../alloc/alloc.c"
#include "../alloc/arena.c"
#include "../alloc/audit.c"
#include "../alloc/bins.c"
#include "../alloc/cache.c"
#include "../alloc/classes.c"
#include "../alloc/guard.c"
#include "../alloc/large.c"
#include "../alloc/list.c"
#include "../alloc/span.c"
#include "../alloc/system.c"
#include "../alloc/trim.c"
#include "../driver_alloc.c"
