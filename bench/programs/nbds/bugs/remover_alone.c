// Seeded bug: the skip list's remover lets a node go without waiting for the thread that still links the node's tower.
// Verdict: unsafe (assert): the node is linked at a level above after it was retired.
// With a garbage collector it does no harm, which is why the textbook's algorithm needs no second user.
#define REMOVER_ALONE
#include "../skiplist.c"
#include "../reclaim.c"
#define TALL
#define INPUTS
#include "../driver_skiplist.c"
