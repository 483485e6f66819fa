// Seeded bug: the hash table copies a value into the next table without freezing it first.
// Verdict: unsafe (assert): the value is removed between copy and mark, and is there again.
#define MOVE_WITHOUT_FREEZING
#define FIRST_SIZE 2
#include "../hash/audit.c"
#include "../hash/copy.c"
#include "../hash/count.c"
#include "../hash/iterate.c"
#include "../hash/keys.c"
#include "../hash/operate.c"
#include "../hash/probe.c"
#include "../hash/table.c"
#include "../reclaim.c"
#include "../driver_hash_move.c"
