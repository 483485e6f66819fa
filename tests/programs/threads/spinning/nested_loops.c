// A wait inside a loop that itself changes nothing, and inside a function that such a loop calls.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#define N 3

static atomic_int flags[N];

static void await(int i)
{
    while (!flags[i]) {
    }
}

static void *wait_for_all(void *unused)
{
    for (int i = 0; i < N; i++) {
        while (!flags[i]) {
        }
    }
    for (int i = N - 1; i >= 0; i--)
        await(i);
    return unused;
}

static void *set_all(void *unused)
{
    for (int i = 0; i < N; i++)
        flags[i] = 1;
    return unused;
}

int main(void)
{
    run_pair(wait_for_all, set_all);
    return 0;
}
