// Threads insert into, remove from and look into one non-blocking list; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: compare-and-swap, marked pointers, memory that is released while others may read it.
//
// -DTHREADS=n   threads                      -DOPS=n      operations of each
// -DKEYS=n      keys                         -DINPUTS     operations and keys are inputs instead of a fixed mix
// -DRECLAIM=n   how memory is reclaimed (reclaim.h)
#include "list.h"

typedef List Set;
#define SET(operation) list_##operation
#include "mix.h"
