// Calls without end use up the stack: not safe.
//@ verdict: unknown
static int f(int x) { return x == -1 ? 0 : 1 + f(x & 7); }

int main(void) { return f(1); }
