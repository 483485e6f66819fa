// Seeded bug: a cursor of the list steps along the link of a node that has been deleted.
// Verdict: unsafe (memory): such a link does not change any more, so what it leads to may have been released; looking at it a
// second time, as hazard pointers ask for, says nothing.
#define STEP_FROM_DELETED
#define RECLAIM 2
#define BAG_LIMIT 1
#define GAP
#define KEYS 4
#include "../list.c"
#include "../reclaim.c"
#include "../driver_cursor.c"
