/* The clocks of std::chrono, which are those of C in nanoseconds: see clock.c. */
#include "clock.h"
#include "runtime.h"

WEAK int64_t _ZNSt6chrono3_V212system_clock3nowEv(void) { return (int64_t)__selvedge_clock_now(WALL); }
WEAK int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void) { return (int64_t)__selvedge_clock_now(STEADY); }
