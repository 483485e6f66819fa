// Seeded bug: the allocator lets a large block grow in place without the lock of the heap.
// Verdict: unsafe (assert): the pages behind are given to another thread at the same time.
#define RESIZE_WITHOUT_LOCK
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
#include "../driver_alloc_resize.c"
