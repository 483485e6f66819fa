// A wait in a loop, as it must be.
#define UNTIL_READY while
#include "wait_once.c"
