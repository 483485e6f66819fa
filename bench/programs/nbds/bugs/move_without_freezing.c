// Seeded bug: the hash table copies a value into the larger table without freezing it first.
// Verdict: unsafe (assert): the value is removed between copy and mark, and is there again.
#define MOVE_WITHOUT_FREEZING
#define FIRST_SIZE 2
#include "../hashtable.c"
#include "../reclaim.c"
#include "../driver_hash_move.c"
