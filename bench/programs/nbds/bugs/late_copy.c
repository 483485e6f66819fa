// Seeded bug: whoever copies a value and finds the slot for it moved follows into the table behind (met while this library was
// written).
// Verdict: unsafe (assert): another thread has copied the value before, and it was removed; the late copy brings it back.
#define LATE_COPY_FOLLOWS
#define FIRST_SIZE 1
#include "../hash/audit.c"
#include "../hash/copy.c"
#include "../hash/count.c"
#include "../hash/iterate.c"
#include "../hash/keys.c"
#include "../hash/operate.c"
#include "../hash/probe.c"
#include "../hash/table.c"
#include "../reclaim.c"
#include "../driver_hash_late.c"
