/* A sorted list without locks: keys with values, each key at most once.
 *
 * Algorithm: Michael, "High performance dynamic lock-free hash tables and list-based sets" (SPAA 2002), after Harris (DISC
 * 2001). A node is deleted by marking its link; whoever finds a marked node unlinks it. */
#ifndef NBDS_LIST_H
#define NBDS_LIST_H

#include "common.h"

typedef struct List List;

List *list_new(void);

/* Adds the key if it is not there; false if it is. */
bool list_insert(List *list, int thread, Key key, Word value);

/* Removes the key if it is there; its value goes to `value` unless that is null. */
bool list_remove(List *list, int thread, Key key, Word *value);

/* Whether the key is there, and its value. */
bool list_find(List *list, int thread, Key key, Word *value);

/* Takes the first key away; false if the list is empty. */
bool list_remove_first(List *list, int thread, Key *key, Word *value);

/* For quiet times only, when no other thread uses the list. */
int list_count(const List *list);
/* Whether the keys ascend, with no marks left behind that somebody still has to unlink. */
bool list_is_sound(const List *list);
void list_free(List *list);

#endif
