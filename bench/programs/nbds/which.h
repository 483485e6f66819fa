/* Which of the sorted structures a program uses: the list, or the skip list with -DSKIPLIST. They have the same operations. */
#ifndef NBDS_WHICH_H
#define NBDS_WHICH_H

#ifdef SKIPLIST
#include "skiplist.h"
typedef SkipList Map;
typedef SkipCursor Cursor;
#define MAP(operation) skiplist_##operation
#else
#include "list.h"
typedef List Map;
typedef ListCursor Cursor;
#define MAP(operation) list_##operation
#endif

/* Adds a key; in a skip list with a tower of full height, where that can be chosen and -DTALL says so. */
static inline bool add_key(Map *map, int thread, Word key, Word value)
{
#if defined SKIPLIST && defined TALL
    return skiplist_insert_tower(map, thread, key, value, MAX_HEIGHT);
#else
    return MAP(insert)(map, thread, key, value);
#endif
}

#endif
