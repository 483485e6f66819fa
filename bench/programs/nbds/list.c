/* The sorted list as one unit, for programs that do not want to name all of its files; see list.h. */
#include "list/node.c"
#include "list/search.c"
#include "list/update.c"
#include "list/value.c"
#include "list/order.c"
#include "list/cursor.c"
#include "list/bulk.c"
#include "list/audit.c"
