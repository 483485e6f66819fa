// Threads insert into, remove from and look into one non-blocking hash table; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: claims by compare-and-swap, growth that all threads help with, values that are frozen while they move.
//
// Parameters as in driver_list.c; -DFIRST_SIZE=n is the first number of slots: 2 lets the table grow while it is used.
#include "hashtable.h"

typedef HashTable Set;
#define SET(operation) hash_##operation
#include "mix.h"
