// Seeded bug: the skip list links an older node with the same key, which is being deleted, behind a new one.
// Verdict: unsafe (assert): the search that is to unlink the old node stops at the new one, so it stays linked.
// The textbook's algorithm does this, too: with a garbage collector it does no harm, with manual reclamation it does.
#define WITHOUT_SECOND_SEARCH
#include "../skiplist.c"
#include "../reclaim.c"
#define TALL
#include "../driver_skiplist.c"
