// What is assumed about the length of variables is said.
//@ verdict: safe
//@ executions: total=2
//@ rev strict: --strict
//@ verdict[strict]: unknown
//@ reason[strict]: at most 8 bytes
#include <stdlib.h>

int main(void)
{
    return getenv("DEBUG") ? 1 : 0;
}
