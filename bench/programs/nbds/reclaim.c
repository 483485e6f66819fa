/* The reclamation library as one unit, for programs that do not want to name all of its files; see reclaim.h. */
#include "reclaim/batch.c"
#include "reclaim/thread.c"
#include "reclaim/at_end.c"
#include "reclaim/epoch.c"
#include "reclaim/hazard.c"
#include "reclaim/grace.c"
