// Threads insert into, remove from and look into one non-blocking skip list; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: several links of one node changed one by one, two users of one node, searches that have to begin anew.
//
// Parameters as in driver_list.c; -DTALL gives every node the full height.
#include "skiplist.h"

typedef SkipList Set;
#define SET(operation) skiplist_##operation
#ifdef TALL
#define HEIGHT(key) MAX_HEIGHT
#else
#define HEIGHT(key) skiplist_height(key)
#endif
#define INSERT_KEY(set, thread, key) skiplist_insert_tower(set, thread, key, value_for(key), HEIGHT(key))
#include "mix.h"
