// Threads put words into one hash table by compare-and-swap; with fewer than twelve threads no two of them ever meet,
// with each further one more pairs do. Described by Flanagan and Godefroid (POPL 2005).
//@ verdict: safe
//@ flags: --reduce dpor
//@ rev n11:
//@ clang[n11]: -DN=11
//@ executions[n11]: total=1 full=1 blocked=0
//@ rev n12:
//@ clang[n12]: -DN=12
//@ executions[n12]: total=8 full=8 blocked=0
//@ rev n13:
//@ clang[n13]: -DN=13
//@ executions[n13]: total=64 full=64 blocked=0
//@ rev n14:
//@ clang[n14]: -DN=14
//@ executions[n14]: total=512 full=512 blocked=0
//@ rev n15:
//@ clang[n15]: -DN=15
//@ executions[n15]: total=4096 full=4096 blocked=0
#include "../team.h"
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define WORDS 4

static atomic_int table[SIZE];

static void *insert_words(void *argument)
{
    for (int i = 1; i <= WORDS; i++) {
        int word = i * 11 + number(argument);
        int slot = word * 7 % SIZE;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[slot], &empty, word))
                break;
            slot = (slot + 1) % SIZE;
        }
    }
    return 0;
}

int main(void)
{
    run_team(N, insert_words);
    return 0;
}
