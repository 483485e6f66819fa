// Seeded bug: the list deletes a key by marking its link, and leaves the value as it is.
// Verdict: unsafe (assert): a value that is changed by compare-and-swap after the remover has read it is lost, though the
// change was reported as made.
#define REMOVE_BY_MARK
#include "../list.c"
#include "../reclaim.c"
#include "../driver_values.c"
