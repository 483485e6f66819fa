// Recursion that never ends: the depth limit cuts it, so nothing is shown.
//@ verdict: unknown
#include "../inputs.h"

static unsigned deeper(unsigned n) { return deeper(n + 1) + 1; }

int main(void) { return (int)deeper(0); }
